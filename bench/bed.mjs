/** The engines of the tests, read from their sources: only packages of this workspace's tests have them, and none is built. */
import { register } from 'node:module';
import { readsSources } from '../scripts/reads-sources.mjs';

if (!readsSources) register('../scripts/typescript-loader.mjs', import.meta.url);

const engines = '../packages/core/src/testing/bed/engines';
export const { startSlapd } = await import(`${engines}/slapd.ts`);
export const { startPostgres } = await import(`${engines}/postgres.ts`);
