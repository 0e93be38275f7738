/** `node --import`: programs in TypeScript run as they are written, also on Node 20, which reads none. */
import { register } from 'node:module';
import { readsSources } from '../../scripts/reads-sources.mjs';

if (!readsSources) register('../../scripts/typescript-loader.mjs', import.meta.url);
