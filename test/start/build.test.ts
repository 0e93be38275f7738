/** What `npm start` costs in a new checkout, beside the download: little, as only what runs is built. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { millisecondHere } from '../../packages/core/src/testing/bed/measures/processor-time.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

let checkout: string;
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'watchword-checkout-'));
  await cp(root, checkout, { recursive: true, filter: (path) => !isMade(path.slice(root.length)) });
  await linkPackages('.');
  for (const name of await readdir(join(checkout, 'packages'))) await linkPackages(join('packages', name));
});
afterAll(() => rm(checkout, { recursive: true }));

const isMade = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|dist|\.git|\.cache)(?:\/|$)|^data(?:\/|$)/.test(path);

/** What the download has brought, but for what is remembered of builds. */
async function linkPackages(folder: string): Promise<void> {
  await mkdir(join(checkout, folder, 'node_modules'));
  for (const name of await readdir(join(root, folder, 'node_modules'))) {
    if (name === '.watchword') continue;
    await symlink(join(root, folder, 'node_modules', name), join(checkout, folder, 'node_modules', name));
  }
}

/** Seconds of processor time of this machine, and KiB of memory, of the largest of its processes. */
const measure = `
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
`;

it('builds what runs, without types, in under 20 s of processor time and 500 MB', async () => {
  const build = "import('./scripts/workspace.mjs').then(({ ensureBuilt }) => ensureBuilt())";
  const { stdout } = await run('python3', ['-c', measure, process.execPath, '-e', build], { cwd: checkout });
  const [seconds = 0, kibibytes = 0] = stdout.trim().split(' ').map(Number);
  expect(seconds / millisecondHere()).toBeLessThan(20);
  // The pages of the portal need the most.
  expect(kibibytes).toBeLessThan(500 * 1024);
  for (const name of ['core', 'server-manager', 'server-ws', 'quickstart']) {
    const made = await readdir(join(checkout, 'packages', name, 'dist'), { recursive: true });
    expect(made.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
    expect(made.filter((path) => path.endsWith('.d.ts'))).toEqual([]);
  }
});
