/** `node scripts/example.mjs soft-token/soft-token.ts …`: an example as a command, also on Node 20, which reads no TypeScript. */
import { register } from 'node:module';
import { readsSources } from './reads-sources.mjs';
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
if (!readsSources) register('./typescript-loader.mjs', import.meta.url);
const [example] = process.argv.splice(2, 1);
await import(`../examples/${example}`);
