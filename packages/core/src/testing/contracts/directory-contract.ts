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
 * Declares the contract of a {@link DirectoryServer} as a suite of vitest.
 * @param name the name of the engine in the titles of the tests
 * @param open opens a new fixture, which the suite disposes of after its last test; called once
 * @param traits differences of the engine, such as RFC 4526 filters; with `readOnly`, nobody writes through it
 * @see docs/architecture.md#write-an-engine-of-a-port
 * @example
 * ```ts
 * import { Dn } from '@watchword/core';
 * import { directoryContract } from '@watchword/core/testing';
 * import { openLdapDirectory } from '@watchword/ldap';
 * import { createLog, systemClock } from '@watchword/node';
 *
 * const base = Dn.parse('ou=contract,dc=example,dc=org');
 * const account = (name: string) => ({ dn: Dn.parse(`cn=${name},${base}`), password: 'a password' });
 * const service = { bind_dn: `cn=service,${base}`, bind_password: 'a password' };
 * const log = createLog({ level: 'silent', format: 'text' }, process.stderr);
 *
 * directoryContract('our OpenLDAP', async () => {
 *   const server = openLdapDirectory({ urls: ['ldaps://ldap.example.org'], ...service }, { clock: systemClock, log });
 *   const accounts = { admin: account('admin'), reader: account('reader') };
 *   return { server, base, ...accounts, dispose: () => server.close() };
 * });
 * ```
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
