import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { parseFilter } from '../../../core/src/foundation/text/filter-text.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { openDirectory } from '../index.ts';
import { openTables, Snapshot } from '../storage/snapshot.ts';
import { base, openTestDirectory, type TestDirectory } from '../testing/test-directory.ts';
import { idsIn } from './id-list.ts';

let opened: TestDirectory;
beforeEach(async () => {
  opened = await openTestDirectory();
  await opened.directory.importLdif(
    Array.from({ length: 1200 }, (_, n) => `dn: ou=unit ${n},${base}\nobjectClass: organizationalUnit\n\n`),
  );
});
afterEach(() => opened.dispose());

const tables = () => openTables(opened.environment);
const reopen = () =>
  openDirectory(opened.environment, { base }, { clock: systemClock, random: systemRandom });
/** Index key → its entries. */
function postings(): Map<string, number[]> {
  const snapshot = new Snapshot(tables(), base);
  const keys = [...tables().postings.getKeys()].map(([key]) => key);
  return new Map(keys.map((key) => [key, [...idsIn(snapshot.list(key))]]));
}

/** The format of the first version: 16 bits for each entry, in blocks by number. */
function makeOld(): Promise<void> {
  return opened.environment.write(() => {
    const { postings, settings } = tables();
    postings.clearSync();
    postings.put(['=ou:unit 7', 0], Buffer.from([9, 0]));
    postings.put(['=ou:gone', 1], Buffer.from([1, 0, 2, 0]));
    settings.remove('index');
  });
}

it('rebuilds indexes of the first version', async () => {
  const before = postings();
  await makeOld();
  const { service } = await reopen();
  const filter = parseFilter('(ou=*nit 119*)');
  const found = await service.search({ base, scope: 'sub', filter, attributes: [] });
  expect(found).toHaveLength(11);
  expect(postings()).toEqual(before);
});

it('keeps the earlier indexes when the rebuild fails', async () => {
  const before = postings();
  const failing = opened.environment.write(() => {
    tables().postings.clearSync();
    throw new ServiceError('unavailable');
  });
  await expect(failing).rejects.toMatchObject({ reason: 'unavailable' });
  expect(postings()).toEqual(before);
});

it('refuses the folder of a later version', async () => {
  await opened.environment.write(() => tables().settings.put('index', '99'));
  await expect(reopen()).rejects.toThrow(/^The directory in the data folder was written by a later version/);
});
