/** `npm run soft-token -- scan qr.gif`: the example of an authenticator, also on Node 20, which reads no TypeScript. */
import { register } from 'node:module';
import { ensureInstalled } from './workspace.mjs';

ensureInstalled();
if (!process.features.typescript) register('./typescript-loader.mjs', import.meta.url);
await import('../examples/soft-token/soft-token.ts');
