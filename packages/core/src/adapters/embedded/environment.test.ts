import { chmod, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Dn } from '../../directory/dn.ts';
import { ServiceError } from '../../errors.ts';
import { StartError } from '../../start-error.ts';
import { systemClock, systemRandom } from '../system/index.ts';
import { type Environment, openDirectory, openEnvironment } from './index.ts';

let folder: string;
let environment: Environment;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'watchword-environment-')), 'data');
  environment = await openEnvironment(folder);
});
afterEach(async () => {
  await environment.close();
  await rm(join(folder, '..'), { recursive: true });
});

const modeOf = async (...path: string[]) => (await stat(join(folder, ...path))).mode & 0o777;
const data = () => join(folder, 'data.mdb');

it('is readable by its owner only, even if the folder was not', async () => {
  expect([await modeOf(), await modeOf('data.mdb'), await modeOf('lock.mdb')]).toEqual([0o700, 0o600, 0o600]);
  await environment.close();
  await chmod(folder, 0o755);
  environment = await openEnvironment(folder);
  expect(await modeOf()).toBe(0o700);
});

it('stores all of a change or nothing', async () => {
  const table = environment.table<number, string>('numbers', {});
  const change = environment.write(() => {
    table.put('half', 1);
    throw new ServiceError('value_exists');
  });
  await expect(change).rejects.toMatchObject({ reason: 'value_exists' });
  expect(table.get('half')).toBeUndefined();
});

it('keeps a snapshot as it was', async () => {
  const table = environment.table<number, string>('numbers', {});
  await environment.write(() => table.put('n', 1));
  const transaction = environment.snapshot();
  await environment.write(() => table.put('n', 2));
  expect([table.get('n', { transaction }), table.get('n')]).toEqual([1, 2]);
  transaction.done();
});

it.each([
  ['cut off', () => truncate(data(), 8192)],
  ['cut off within the first page', () => truncate(data(), 100)],
  ['something else', () => writeFile(data(), 'not a database '.repeat(2000))],
  ['overwritten at the start', async () => writeFile(data(), (await readFile(data())).fill(0xff, 0, 64))],
])('refuses a database that is %s with one sentence', async (_how, damage) => {
  await environment.write(() => environment.table<string, string>('text', {}).put('x', 'y'.repeat(20_000)));
  await environment.close();
  await damage();
  const opening = openEnvironment(folder);
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(/^The database in the data folder \S+ is damaged: [^.]*\.$/);
});

it('refuses a folder that is none', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(openEnvironment(file)).rejects.toThrow(/^The data folder \S+ cannot be used \(EEXIST\)\.$/);
});

it('refuses a directory that was made for another base, and a base that cannot be made', async () => {
  const open = (base: string) =>
    openDirectory(
      environment,
      { base: Dn.parse(base), writers: [] },
      { clock: systemClock, random: systemRandom },
    );
  await expect(open('cn=me,dc=example')).rejects.toThrow('begins with dc, o, ou, l or c');
  await open('o=Example');
  await open('O=example');
  await expect(open('o=Other')).rejects.toThrow('holds a directory with the base o=Example, not o=Other');
});
