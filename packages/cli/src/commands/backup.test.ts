/** A backup, and what comes back from it. Beside writers: `test/operator`, because LMDB wants a process for each. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '@watchword/engines';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { matchAll } from '../../../core/src/foundation/text/filter.ts';
import type { Engines } from '../../../core/src/ports/ports.ts';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';
import { createLog } from '../../../node/src/machine/index.ts';
import { readConfiguration } from '../index.ts';

const base = 'dc=example,dc=com';
let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-backup-'));
  file = join(folder, 'watchword.yaml');
  await writeFile(join(folder, 'password'), 'correct horse battery staple', { mode: 0o600 });
  await runCommandLine(['init', '-c', file, '--base', base, '--password-file', join(folder, 'password')]);
});
afterEach(() => rm(folder, { recursive: true }));

const open = () => {
  const { config } = readConfiguration(file, {});
  return openEngines(config, createLog(config.log, { write: () => {} }));
};

/** A pair of entries, the second naming the first: half of a transaction would show. */
async function addPeople({ directory: { service } }: Engines, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const person = { objectclass: ['inetOrgPerson'], cn: ['x'], sn: ['x'] };
    await service.add(Dn.parse(`cn=x+uid=u${number},${base}`), new Map(Object.entries(person)));
  }
}

it('is whole, private, without the key ring, and opens when that is put back', async () => {
  const engines = await open();
  const secret = engines.keys.seal(Buffer.from('secret'), 'place');
  await addPeople(engines, 100);
  const result = await runCommandLine(['backup', '-c', file, join(folder, 'copy')]);
  await engines.close();
  expect(result).toMatchObject({ code: 0, errors: '' });
  expect(result.printed).toContain(`keep a copy of ${join(folder, 'data', 'keys')} in another place`);
  expect((await readdir(join(folder, 'copy'))).sort()).toEqual(['ca-key.pem', 'ca.pem', 'data.mdb']);
  const modes = ['copy', 'copy/data.mdb'].map(async (name) => (await stat(join(folder, name))).mode & 0o777);
  expect(await Promise.all(modes)).toEqual([0o700, 0o600]);

  await rename(join(folder, 'data'), join(folder, 'lost'));
  await rename(join(folder, 'copy'), join(folder, 'data'));
  await expect(open()).rejects.toThrow('is gone, and without it nobody can read the secrets');
  await writeFile(join(folder, 'data', 'keys'), await readFile(join(folder, 'lost', 'keys')), {
    mode: 0o600,
  });
  expect((await runCommandLine(['restored', '-c', file, '--yes'])).code).toBe(0);
  const restored = await open();
  expect(Buffer.from(restored.keys.open(secret, 'place')).toString()).toBe('secret');
  const found = await restored.directory.service.search({
    base: Dn.parse(base),
    scope: 'sub',
    filter: matchAll,
  });
  expect(found.length).toBeGreaterThan(100);
  await addPeople(restored, 0);
  await restored.close();
});

it('is as the database was at one moment', async () => {
  const engines = await open();
  await addPeople(engines, 3);
  await runCommandLine(['backup', '-c', file, join(folder, 'copy')]);
  await engines.directory.service.remove(Dn.parse(`cn=x+uid=u0,${base}`));
  await engines.close();
  await rename(join(folder, 'copy', 'data.mdb'), join(folder, 'data', 'data.mdb'));
  await rm(join(folder, 'data', 'lock.mdb'));
  await runCommandLine(['restored', '-c', file, '--yes']);
  const restored = await open();
  expect(await restored.directory.service.read(Dn.parse(`cn=x+uid=u0,${base}`))).toBeDefined();
  await restored.close();
});

it.each([
  ['a folder that is there', 'there', 'is there already; name a folder that is not'],
  ['a place that is not there', 'no/where', 'cannot be written (no such file or folder)'],
  ['a place in a file', 'watchword.yaml/copy', 'cannot be written (a part of its path is not a folder)'],
])('is refused for %s, and nothing is left', async (_, name, sentence) => {
  await mkdir(join(folder, 'there'));
  const result = await runCommandLine(['backup', '-c', file, join(folder, name)]);
  expect(result).toMatchObject({ code: 1, errors: expect.stringContaining(sentence) });
  expect((await readdir(folder)).sort()).toEqual(['data', 'password', 'there', 'watchword.yaml']);
});

it('is refused without a folder, and where there is nothing', async () => {
  expect((await runCommandLine(['backup', '-c', file])).errors).toContain('backup needs a FOLDER');
  await rm(join(folder, 'data'), { recursive: true });
  const result = await runCommandLine(['backup', '-c', file, join(folder, 'copy')]);
  expect(result.errors).toContain('There is no database in ');
});
