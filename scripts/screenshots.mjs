/** `npm run screenshots`: the pictures of the guides, in light, in dark and on a phone, taken of the real servers by Chromium. */
import { spawnSync } from 'node:child_process';
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
const args = [
  '--conditions=watchword-source',
  '--import=./test/guides/typescript.mjs',
  'packages/portal/test/screenshots.ts',
];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
