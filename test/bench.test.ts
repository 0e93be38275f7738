/** The modules of the benchmarks, as `npm run bench` loads them: on what is built, with the engines of the tests from their sources. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../packages/core/src/testing/bed/scratch.ts';

/** They act when they are loaded. */
const programs = [
  'run.mjs',
  'aims/connections-client.mjs',
  'floors/login-floor.mjs',
  'floors/manager-floor.mjs',
  'logins/reference-server.mjs',
];

const folder = new URL('../bench/', import.meta.url);
const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.mjs') && !path.includes('node_modules') && !programs.includes(path),
);

/** Loads modules in one process, one after the other. @returns the errors of those that cannot be loaded */
async function faultsOf(paths: readonly string[]): Promise<unknown> {
  const urls = JSON.stringify(paths.map((path) => new URL(path, folder).href));
  const script = `
    const faults = [];
    for (const url of ${urls}) await import(url).catch((error) => faults.push(String(error)));
    console.log(JSON.stringify(faults));
    process.exit();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

it('loads every module that does not act when it is loaded', async () => {
  expect(modules.length).toBeGreaterThan(30);
  expect(await faultsOf(modules)).toEqual([]);
});

it('reports a module that is not there', async () => {
  expect(await faultsOf(['missing.mjs'])).toEqual([expect.stringContaining('missing.mjs')]);
});
