/** Lets the processes that tests start from a source run TypeScript, as Node from 22.18 on does by itself. */
import { register } from 'node:module';
import { readsSources } from './reads-sources.mjs';

const isSource = process.argv[1]?.endsWith('.ts');
if (isSource && !readsSources) register('./typescript-loader.mjs', import.meta.url);
