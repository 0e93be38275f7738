/**
 * The contract of directories, as a vitest suite without an engine. It makes containers of its own below the given base; differences of
 * engines by nature are {@link DirectoryTraits}.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { describeAdding } from './directory/adding.ts';
import { describeChildren } from './directory/children.ts';
import { describeConcurrency } from './directory/concurrency.ts';
import { describeFilters } from './directory/filters.ts';
import type { DirectoryFixture, DirectoryTraits } from './directory/fixture.ts';
import { describeGroups } from './directory/groups.ts';
import { describeLogin } from './directory/login.ts';
import { describeModifying } from './directory/modifying.ts';
import { describeNames } from './directory/names.ts';
import { describePasswords } from './directory/passwords.ts';
import { describeRefusedWrites } from './directory/refused-writes.ts';
import { describeCapabilities, describeRevisions } from './directory/revisions.ts';
import { describeSearching } from './directory/searching.ts';
import { TestBed } from './directory/test-bed.ts';

export type { Account, DirectoryFixture, DirectoryTraits } from './directory/fixture.ts';

const usual: DirectoryTraits = {
  readOnly: false,
  hashedPasswords: true,
  matchingRules: true,
  absoluteFilters: true,
  surnameRequired: true,
  groupClass: 'groupOfNames',
  account: {},
  mustChange: true,
};

/**
 * Declares the suite `name`. `open` is called once; its `dispose` once, after the last test.
 * @param traits where the engine differs from the usual: hashed passwords taken, RFC 4526 filters, …; with `readOnly`, the part that a
 *   directory claims that nobody writes through it
 */
export function directoryContract(
  name: string,
  open: () => Promise<DirectoryFixture>,
  traits: Partial<DirectoryTraits> = {},
): void {
  describe(`directory contract: ${name}`, () => {
    const bed = new TestBed({ ...usual, ...traits });
    beforeAll(async () => bed.open(await open()));
    afterAll(() => bed.close());
    describeSearching(bed);
    describeChildren(bed);
    describeFilters(bed);
    describeGroups(bed);
    describeLogin(bed);
    describeCapabilities(bed);
    if (bed.traits.readOnly) {
      describeRefusedWrites(bed);
      return;
    }
    describeAdding(bed);
    describeModifying(bed);
    describeNames(bed);
    describePasswords(bed);
    describeRevisions(bed);
    describeConcurrency(bed);
  });
}
