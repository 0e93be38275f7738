/** Searches in units of a directory whose lists have chunks, and whose units are smaller than lists. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dn } from '../../core/src/foundation/text/dn.ts';
import { parseFilter } from '../../core/src/foundation/text/filter-text.ts';
import {
  attributes,
  base,
  named,
  openTestDirectory,
  person,
  type TestDirectory,
  unit,
} from './testing/test-directory.ts';

const units = { people: unit('people'), few: unit('few'), deep: unit('deep', unit('few')) };
type UnitName = keyof typeof units;

/** The unit of each user, in order of creation: one in 50 is in `few`, one in 100 in `deep`. */
const crowd = Array.from({ length: 1500 }, (_, n) => {
  const place: UnitName = n % 100 === 7 ? 'deep' : n % 50 === 3 ? 'few' : 'people';
  return { n, place, mail: `user${n}@${n % 3 ? 'example' : 'elsewhere'}.org` };
});
type Person = (typeof crowd)[number];

const filters: [text: string, matches: (person: Person) => boolean][] = [
  ['(mail=*)', () => true],
  ['(objectclass=person)', () => true],
  ['(description=d*)', () => true],
  ['(mail=*ser*)', () => true],
  ['(mail=*@example*)', ({ mail }) => mail.includes('@example')],
  ['(mail=user12*org)', ({ mail }) => mail.startsWith('user12')],
  ['(mail=*ser123*)', ({ mail }) => mail.includes('ser123')],
  ['(mail=*234@*)', ({ mail }) => mail.includes('234@')],
  ['(mail=*9876@*)', () => false],
  ['(&(objectclass=person)(mail=*7@e*)(mail=*example*))', ({ mail }) => /7@example/.test(mail)],
  ['(|(mail=*77@*)(uid=user5)(mail=*elsewhere*))', ({ mail }) => /77@|elsewhere|^user5@/.test(mail)],
  ['(|(mail=*01@*)(&(mail=*example*)(mail=*02@*)))', ({ mail }) => /01@|02@example/.test(mail)],
  ['(&(mail=*)(!(mail=*example*)))', ({ mail }) => !mail.includes('example')],
];
const searched = fc.record({
  filter: fc.constantFrom(...filters),
  place: fc.constantFrom<UnitName | undefined>(undefined, 'people', 'few', 'deep'),
  scope: fc.constantFrom('one' as const, 'sub' as const),
});

function isIn(at: UnitName, place: UnitName | undefined, scope: 'one' | 'sub'): boolean {
  if (at === place) return true;
  return scope === 'sub' && (place === undefined || (place === 'few' && at === 'deep'));
}

describe('search in a unit', () => {
  let opened: TestDirectory;
  beforeAll(async () => {
    opened = await openTestDirectory();
    await opened.directory.importLdif(ldif());
  });
  afterAll(() => opened.dispose());

  const search = (dn: Dn, scope: 'one' | 'sub', { filter, limit }: { filter: string; limit?: number }) =>
    opened.directory.service.search({
      base: dn,
      scope,
      filter: parseFilter(filter),
      attributes: [],
      ...(limit !== undefined && { limit }),
    });

  it('finds the matching entries of the unit in order of creation, or fails above the limit', async () => {
    await fc.assert(
      fc.asyncProperty(searched, fc.nat(3), async ({ filter: [filter, matches], place, scope }, less) => {
        const expected = crowd
          .filter((it) => isIn(it.place, place, scope) && matches(it))
          .map((it) => `cn=user${it.n},${units[it.place]}`);
        const dn = place ? units[place] : base;
        const found = await search(dn, scope, { filter });
        expect(
          found.map((entry) => entry.dn),
          filter,
        ).toEqual(expected);
        const limit = Math.max(0, expected.length - less);
        const limited = search(dn, scope, { filter, limit });
        if (limit === expected.length) expect(await limited).toHaveLength(expected.length);
        else await expect(limited).rejects.toMatchObject({ reason: 'too_large' });
      }),
      { numRuns: 250 },
    );
  });

  it('reads one snapshot', async () => {
    const { service } = opened.directory;
    const searching = search(base, 'sub', { filter: '(mail=*ser*)' });
    const late = unit('late');
    await service.add(late, attributes({ objectclass: ['organizationalUnit'] }));
    await service.add(named('late', late), person({ mail: ['user-late@example.org'] }));
    await service.remove(named('late', late));
    expect(await searching).toHaveLength(crowd.length);
  });
});

function* ldif(): Generator<string> {
  for (const dn of Object.values(units)) yield `dn: ${dn}\nobjectClass: organizationalUnit\n\n`;
  for (const { n, place, mail } of crowd) {
    yield `dn: cn=user${n},${units[place]}
objectClass: inetOrgPerson
uid: user${n}
sn: Person
description: d${n}
mail: ${mail}

`;
  }
}
