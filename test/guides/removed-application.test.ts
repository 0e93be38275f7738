/** The promise of docs/architecture.md: an application is taken out with its folder and its line, and all else compiles. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from './blocks.ts';

const run = promisify(execFile);
const applications = 'packages/core/src/applications';

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'watchword-sources-'));
  for (const name of await readdir(join(root, 'packages'))) {
    for (const part of ['src', 'package.json', 'node_modules']) {
      const place = join('packages', name, part);
      // Links stay relative, so that packages find each other's sources in the copy.
      const options = { recursive: true, verbatimSymlinks: true };
      if (existsSync(join(root, place))) await cp(join(root, place), join(copy, place), options);
    }
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const name of ['package.json', 'tsconfig.base.json']) await cp(join(root, name), join(copy, name));
  const configuration = {
    extends: './tsconfig.base.json',
    compilerOptions: { noEmit: true, jsx: 'react-jsx' },
    include: ['packages/*/src'],
    exclude: ['**/*.test.ts', '**/*.test.tsx', '**/*.test-d.ts', '**/testing', '**/node_modules'],
  };
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(configuration));
  await rm(join(copy, applications, 'qrauth'), { recursive: true });
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** @returns what the compiler complains of, a line each */
async function compile(): Promise<readonly string[]> {
  const tsc = join(root, 'node_modules/typescript-newest/bin/tsc');
  const ended = await run(process.execPath, [tsc, '-p', copy], { cwd: copy }).catch((error) => error);
  return ended.stdout.split('\n').filter((line: string) => /^\S.*error TS/.test(line));
}

it('finds an application missing whose line is left', async () => {
  const wrong = await compile();
  expect(wrong).toContainEqual(expect.stringContaining(`${applications}/index.ts`));
});

it('compiles all packages without an application and its line', async () => {
  const list = join(copy, applications, 'index.ts');
  const lines = (await readFile(list, 'utf8')).split('\n');
  // Its row, and the import that the row needs.
  const left = lines.filter((line) => !/\bqrauth\b/.test(line));
  expect(lines.length - left.length).toBe(2);
  await writeFile(list, left.join('\n'));
  expect(await compile()).toEqual([]);
});
