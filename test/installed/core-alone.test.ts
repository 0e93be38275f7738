/** `@watchword/core` with its own dependencies and nothing else, as who brings engines of one's own installs it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Installation, openInstallation } from './installation.ts';
import { manifestIn, packagesOf } from './manifests.ts';

const run = promisify(execFile);
const core = '@watchword/core';

let installation: Installation;
let folder: string;
beforeAll(async () => {
  installation = await openInstallation();
  folder = await mkdtemp(join(tmpdir(), 'watchword-core-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, from] of packagesOf(core, join(installation.folder, 'node_modules'))) {
    const to = join(folder, 'node_modules', name);
    await mkdir(dirname(to), { recursive: true });
    await cp(from, to, { recursive: true });
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await installation.close();
});

it('brings four dependencies, and takes under 20 MB with all that they bring', async () => {
  const { dependencies = {} } = manifestIn(join(folder, 'node_modules', core));
  expect(Object.keys(dependencies).toSorted()).toEqual([
    '@simplewebauthn/server',
    'qrcode-svg',
    'saxes',
    'zod',
  ]);
  const { stdout } = await run('du', ['--summarize', '--block-size=1000', join(folder, 'node_modules')]);
  const kilobytes = Number.parseInt(stdout, 10);
  expect(kilobytes).toBeGreaterThan(1000);
  expect(kilobytes).toBeLessThan(20_000);
});

it('loads each of its entry points with nothing beside it, but the suites that need vitest', async () => {
  const { exports } = manifestIn(join(folder, 'node_modules', core));
  const points = Object.keys(exports).filter((point) => point !== './testing');
  expect(points).toContain('./ports');
  const program = points.map((point) => `await import('${core}${point.slice(1)}');`).join('\n');
  await writeFile(join(folder, 'every.js'), `${program}\nconsole.log('loaded');`);
  const { stdout } = await run(process.execPath, ['every.js'], { cwd: folder });
  expect(stdout).toBe('loaded\n');
});
