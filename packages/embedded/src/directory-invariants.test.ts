import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReason } from '../../core/src/foundation/errors/errors.ts';
import type { Dn } from '../../core/src/foundation/text/dn.ts';
import { matchAll } from '../../core/src/foundation/text/filter.ts';
import type { AttributeValue } from '../../core/src/foundation/text/value.ts';
import { idsIn } from './indexes/id-list.ts';
import { indexKeys } from './indexes/index-keys.ts';
import { openTables, Snapshot } from './storage/snapshot.ts';
import {
  attributes,
  base,
  collect,
  named,
  openTestDirectory,
  person,
  type TestDirectory,
  unit,
} from './testing/test-directory.ts';

const container = attributes({ objectclass: ['organizationalUnit'] });

/** A few names, so that operations often conflict. */
const entryName = fc
  .constantFrom('a', 'b', 'c')
  .chain((name) =>
    fc.constantFrom(
      named(name),
      named(name, unit('one')),
      named(name, unit('two')),
      named(name, unit('deep', unit('one'))),
    ),
  );
const unitName = fc.constantFrom(
  unit('one'),
  unit('two'),
  unit('deep', unit('one')),
  unit('one', unit('two')),
);
const anyName = fc.oneof(entryName, unitName);

type Operation = (directory: TestDirectory['directory']['service']) => Promise<void>;
const operation: fc.Arbitrary<Operation> = fc.oneof(
  unitName.map(
    (dn): Operation =>
      (it) =>
        it.add(dn, container),
  ),
  entryName.map(
    (dn): Operation =>
      (it) =>
        it.add(dn, person({ mail: ['x@example.org'] })),
  ),
  fc.tuple(entryName, entryName, entryName).map(
    ([dn, one, two]): Operation =>
      (it) =>
        it.add(dn, group([...new Set([one.toString(), two.toString()])])),
  ),
  anyName.map(
    (dn): Operation =>
      (it) =>
        it.remove(dn),
  ),
  fc.tuple(anyName, anyName).map(
    ([dn, to]): Operation =>
      (it) =>
        it.rename(dn, { rdn: to.rdn, parent: to.parent ?? base }),
  ),
  fc.tuple(entryName, entryName, fc.constantFrom('add' as const, 'delete' as const)).map(
    ([dn, member, kind]): Operation =>
      (it) =>
        it.modify(dn, [{ operation: kind, attribute: 'member', values: [member.toString()] }]),
  ),
  fc.tuple(entryName, fc.constantFrom('x', 'y z', 'ü')).map(
    ([dn, sn]): Operation =>
      (it) =>
        it.modify(dn, [{ operation: 'replace', attribute: 'displayName', values: [sn] }]),
  ),
);

const group = (member: readonly string[]) => attributes({ objectclass: ['groupOfNames'], member });

describe('directory after any operations', () => {
  it('has indexes, references and memberOf that agree with the entries, and LDIF keeps them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
        const opened = await openTestDirectory();
        try {
          for (const dn of [unit('one'), unit('two')]) await opened.directory.service.add(dn, container);
          for (const run of operations) await run(opened.directory.service).catch(ignoreRefusal);
          checkIndexes(opened);
          await checkMembership(opened);
          await checkLdif(opened);
        } finally {
          await opened.dispose();
        }
      }),
      { numRuns: 60 },
    );
  });
});

function ignoreRefusal(error: unknown): void {
  const refusals = [
    'not_found',
    'already_exists',
    'schema_refused',
    'value_exists',
    'value_missing',
  ] as const;
  if (!isReason(error, ...refusals)) throw error;
}

/** Checks that each index key has exactly the entries with it. */
function checkIndexes({ environment }: TestDirectory): void {
  const tables = openTables(environment);
  const snapshot = new Snapshot(tables, base);
  const expected = new Map<string, number[]>();
  for (const id of snapshot.all()) {
    for (const key of indexKeys(snapshot.entry(id)?.attributes ?? new Map())) {
      expected.set(key, [...(expected.get(key) ?? []), id]);
    }
  }
  const indexed = new Set([...tables.postings.getKeys()].map(([key]) => key));
  expect([...indexed].sort()).toEqual([...expected.keys()].sort());
  for (const [key, ids] of expected) expect([...idsIn(snapshot.list(key))], key).toEqual(ids);
  expect(tables.names.getCount() + 1).toBe(tables.entries.getCount());
  expect([...snapshot.subtree(1)].sort((a, b) => a - b)).toEqual([...snapshot.all()]);
}

/** Checks that A is in B's memberOf exactly if B is a member of A. Members that never existed may stay, as in OpenLDAP. */
async function checkMembership({ directory }: TestDirectory): Promise<void> {
  const names = ['member', 'memberof'];
  const entries = await directory.service.search({
    base,
    scope: 'sub',
    filter: matchAll,
    attributes: names,
  });
  const present = new Set(entries.map(({ dn }) => dn.toLowerCase()));
  const pairs = (attribute: string, turn: (own: string, other: string) => string) =>
    entries
      .flatMap(({ dn, attributes: has }) =>
        (has.get(attribute) ?? []).map((it) => [dn, String(it)].map((x) => x.toLowerCase())),
      )
      .filter(([, other = '']) => present.has(other))
      .map(([own = '', other = '']) => turn(own, other))
      .sort();
  expect(pairs('memberof', (own, other) => `${own} in ${other}`)).toEqual(
    pairs('member', (own, other) => `${other} in ${own}`),
  );
}

async function checkLdif({ directory }: TestDirectory): Promise<void> {
  const ldif = await collect(directory.exportLdif());
  const copy = await openTestDirectory();
  try {
    await copy.directory.importLdif(ldif);
    expect(await collect(copy.directory.exportLdif())).toBe(ldif);
    expect(await contents(copy)).toEqual(await contents({ directory }));
    checkIndexes(copy);
  } finally {
    await copy.dispose();
  }
}

async function contents({
  directory,
}: Pick<TestDirectory, 'directory'>): Promise<Map<string, [string, readonly AttributeValue[]][]>> {
  const entries = await directory.service.search({
    base,
    scope: 'sub',
    filter: matchAll,
    attributes: ['*', '+'],
  });
  return new Map(
    entries.map((entry): [Dn['key'], [string, readonly AttributeValue[]][]] => [
      entry.dn,
      [...entry.attributes].sort(),
    ]),
  );
}
