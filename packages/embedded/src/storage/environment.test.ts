import { chmod, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { StartError } from '../../../core/src/foundation/errors/start-error.ts';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { parseFilter } from '../../../core/src/foundation/text/filter-text.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { type Environment, openDirectory, openEnvironment } from '../index.ts';

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

it('creates files for their owner only', async () => {
  expect([await modeOf(), await modeOf('data.mdb'), await modeOf('lock.mdb')]).toEqual([0o700, 0o600, 0o600]);
});

it('keeps the mode of an existing folder, and makes its files private', async () => {
  await environment.close();
  await chmod(folder, 0o755);
  await chmod(data(), 0o644);
  environment = await openEnvironment(folder);
  expect([await modeOf(), await modeOf('data.mdb')]).toEqual([0o755, 0o600]);
});

it.each([0o777, 0o1777])('refuses a folder that everybody may change (%o), like /tmp', async (mode) => {
  await environment.close();
  await chmod(folder, mode);
  await expect(openEnvironment(folder)).rejects.toThrow(`can be changed by everybody; choose a folder`);
  expect((await stat(folder)).mode & 0o7777).toBe(mode);
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

/** Grouped changes, and the number of transactions when each was committed. */
function changes() {
  const table = environment.table<number, string>('numbers', {});
  const written: [key: string, transactions: number][] = [];
  const ask = (key: string) =>
    new Promise<void>((resolve, refused) => {
      environment.writeGrouped({
        apply: () => void table.put(key, 1),
        committed: () => {
          written.push([key, environment.transactions]);
          resolve();
        },
        failed: refused,
      });
    });
  return { ask, written };
}

it('commits a single change in this thread, unless a directory is open', async () => {
  const { ask, written } = changes();
  for (let n = 0; n < 6; n += 1) await ask(`before ${n}`);
  const isAtOnce = async (): Promise<boolean> => {
    const before = written.length;
    const asked = ask('now');
    await nextTurn();
    const isWritten = written.length > before;
    await asked;
    return isWritten;
  };
  expect(await isAtOnce()).toBe(true);
  const base = Dn.parse('dc=example,dc=org');
  await openDirectory(environment, { base }, { clock: systemClock, random: systemRandom });
  for (let n = 0; n < 6; n += 1) await ask(`beside a directory ${n}`);
  expect(await isAtOnce()).toBe(false);
});

it('commits changes together that come during a commit', async () => {
  const { ask, written } = changes();
  const before = environment.transactions;
  const first = ask('first');
  await nextTurn();
  const others = [ask('second')];
  await nextTurn();
  others.push(ask('third'));
  await Promise.all([first, ...others]);
  expect(written).toEqual([
    ['first', before + 1],
    ['second', before + 2],
    ['third', before + 2],
  ]);
});

it('waits for more changes when the last transaction had many', async () => {
  const { ask, written } = changes();
  const before = environment.transactions;
  const many = Promise.all(Array.from({ length: 20 }, (_, n) => ask(`${n}`)));
  await nextTurn();
  const waiting = ask('waiting');
  await many;
  await nextTurn();
  await Promise.all([waiting, ask('soon after')]);
  expect(written.slice(-2)).toEqual([
    ['waiting', before + 2],
    ['soon after', before + 2],
  ]);
});

it('commits grouped changes while other writes never pause', async () => {
  const { ask, written } = changes();
  const table = environment.table<number, string>('others', {});
  const most = 2000;
  let others = 0;
  // Each write schedules the next while it runs, so one is always under way.
  const writeOn = () =>
    environment.write(() => {
      others += 1;
      table.put('n', others);
      if (others < most) setImmediate(() => written.length === 0 && writeOn());
    });
  void writeOn();
  await nextTurn();
  await ask('in between');
  expect(others).toBeLessThan(most);
});

it('reads a snapshot that later writes do not change', async () => {
  const table = environment.table<number, string>('numbers', {});
  await environment.write(() => table.put('n', 1));
  using reading = environment.read();
  await environment.write(() => table.put('n', 2));
  expect([table.get('n', { transaction: reading.transaction }), table.get('n')]).toEqual([1, 2]);
});

it('commits grouped changes before it closes', async () => {
  const table = environment.table<number, string>('numbers', {});
  const asked = new Promise<void>((written, refused) => {
    environment.writeGrouped({ apply: () => table.put('n', 1), committed: written, failed: refused });
  });
  const closing = environment.close();
  await asked;
  await closing;
  environment = await openEnvironment(folder);
  expect(environment.table<number, string>('numbers', {}).get('n')).toBe(1);
});

it('ends reads with unavailable when it is closed', async () => {
  const ports = { clock: systemClock, random: systemRandom };
  const base = Dn.parse('dc=example');
  const directory = await openDirectory(environment, { base }, ports);
  await directory.importLdif(
    Array.from({ length: 200 }, (_, n) => `dn: ou=${n},${base}\nobjectClass: organizationalUnit\n\n`),
  );
  const records = directory.exportLdif();
  await records.next();
  const slow = parseFilter(`(!(|${'(description=*x*)'.repeat(900)}))`);
  const search = directory.service.search({ base, scope: 'sub', filter: slow });
  const late = expect(search).rejects.toMatchObject({
    reason: 'unavailable',
    detail: 'the database is closed',
  });
  await environment.close();
  await late;
  await expect(records.next()).rejects.toMatchObject({ reason: 'unavailable' });
});

it.each([
  ['cut off', () => truncate(data(), 8192)],
  ['cut off within the first page', () => truncate(data(), 100)],
  ['something else', () => writeFile(data(), 'not a database '.repeat(2000))],
  ['overwritten at the start', async () => writeFile(data(), (await readFile(data())).fill(0xff, 0, 64))],
])('refuses a database that is %s', async (_how, damage) => {
  await environment.write(() => environment.table<string, string>('text', {}).put('x', 'y'.repeat(20_000)));
  await environment.close();
  await damage();
  const opening = openEnvironment(folder);
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(
    /^The database in the data folder \S+ is damaged \([^()]+\): [^.]*\.$/,
  );
});

it('refuses a file in place of the folder', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(openEnvironment(file)).rejects.toThrow(/^The data folder \S+ cannot be used \(EEXIST\)\.$/);
});

it('refuses a directory of another base, and a base that cannot be created', async () => {
  const open = (base: string) =>
    openDirectory(environment, { base: Dn.parse(base) }, { clock: systemClock, random: systemRandom });
  await expect(open('cn=me,dc=example')).rejects.toThrow('begins with dc, o, ou, l or c');
  await open('o=Example');
  await open('O=example');
  await expect(open('o=Other')).rejects.toThrow('holds a directory with the base o=Example, not o=Other');
});
