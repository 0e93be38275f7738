import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/src/foundation/text/filter.ts';
import { formatFilter, parseFilter } from '../../../core/src/foundation/text/filter-text.ts';
import { EntryView } from '../entries/entry-view.ts';
import { idsIn } from '../indexes/id-list.ts';
import { openTables, Snapshot } from '../storage/snapshot.ts';
import {
  attributes,
  base,
  named,
  openTestDirectory,
  person,
  type TestDirectory,
  unit,
} from '../testing/test-directory.ts';
import { compileFilter } from './filter-evaluation.ts';
import { candidates } from './filter-plan.ts';

const words = ['ann', 'Anna', 'BANANA', 'an', 'a', 'nan na', 'Jörg', 'İn', '😀an', 'x'.repeat(100), '0'];
const word = fc.constantFrom(...words);
const name = fc.constantFrom(
  'uid',
  'cn',
  'sn',
  'name',
  'mail',
  'mobile',
  'description',
  'objectclass',
  'member',
  'memberof',
  'nonsense',
  'uidnumber',
  'entrydn',
);
const value = fc.oneof(
  word,
  fc.constantFrom(
    'person',
    'inetOrgPerson',
    'top',
    'cn=group 0,dc=example,dc=org',
    '7',
    '+1 555',
    'cn=user 1,ou=people,dc=example,dc=org',
  ),
);
const piece = fc.oneof(word, fc.constantFrom('n', 'na', 'nan', ' ', 'nana', 'x'.repeat(70)));

const item: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ kind: fc.constant('present' as const), attribute: name }),
  fc.record({
    kind: fc.constantFrom(
      'equality' as const,
      'approx' as const,
      'greaterOrEqual' as const,
      'lessOrEqual' as const,
    ),
    attribute: name,
    value,
  }),
  fc.record(
    {
      kind: fc.constant('substrings' as const),
      attribute: name,
      initial: piece,
      any: fc.array(piece, { maxLength: 2 }),
      final: piece,
    },
    { requiredKeys: ['kind', 'attribute', 'any'] },
  ),
  fc.record({
    kind: fc.constant('extensible' as const),
    attribute: name,
    rule: fc.constantFrom('caseExactMatch', 'caseIgnoreMatch', '2.5.13.17', 'noMatch'),
    value,
    dnAttributes: fc.boolean(),
  }),
);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    item,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(tie('filter'), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
  ),
}));

describe('search', () => {
  let opened: TestDirectory;
  beforeAll(async () => {
    opened = await openTestDirectory();
    await fill(opened);
  });
  afterAll(() => opened.dispose());

  const snapshot = () => new Snapshot(openTables(opened.environment), base);
  const everything = () => true;

  /** Finds the matching entries by a full scan. */
  function scan(wanted: Filter): number[] {
    const test = compileFilter(wanted, everything);
    const all = snapshot();
    return [...all.all()].filter((id) => {
      const stored = all.entry(id);
      return stored && test(new EntryView(all, id, stored)) === true;
    });
  }

  const found = async (text: string, scope: 'one' | 'sub' = 'sub') => {
    const entries = await opened.directory.service.search({
      base,
      scope,
      filter: parseFilter(text),
      attributes: ['cn'],
    });
    return entries.map(({ dn }) => dn);
  };

  it('finds by index the entries of a full scan', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom('one' as const, 'sub' as const), async (wanted, scope) => {
        const entries = await opened.directory.service.search({
          base,
          scope,
          filter: wanted,
          attributes: [],
        });
        const all = snapshot();
        const expected = scan(wanted).filter((id) => scope === 'sub' || all.entry(id)?.parent === 1);
        expect(
          entries.map(({ dn }) => dn),
          formatFilter(wanted),
        ).toEqual(
          expected.map((id) => all.nameOf(all.entry(id) ?? { parent: 0, rdn: '', attributes: new Map() })),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['(uid=ann)', 10],
    ['(&(objectclass=person)(uid=ann))', 10],
    ['(cn=*banan*)', 20],
    ['(|(uid=ann)(samaccountname=ann))', 10],
    ['(member=cn=user 1,ou=people,dc=example,dc=org)', 2],
    ['(memberof=cn=group 0,dc=example,dc=org)', 4],
    ['(uid=nobody)', 0],
  ])('tests few entries for %s', (text, most) => {
    const list = candidates(snapshot(), parseFilter(text));
    const looked = list && [...idsIn(list)];
    expect(looked?.length).toBeLessThanOrEqual(most);
    expect(looked).toEqual(expect.arrayContaining(scan(parseFilter(text))));
  });

  it('has a third truth value, whose negation is undefined', async () => {
    for (const text of [
      '(nonsense=x)',
      '(!(nonsense=x))',
      '(uidnumber=seven)',
      '(!(uidnumber=seven))',
      '(cn>=a)',
    ]) {
      expect(await found(text), text).toEqual([]);
    }
    expect(await found('(|(nonsense=x)(objectclass=domain))')).toEqual([base.toString()]);
    expect(await found('(!(&(nonsense=x)(objectclass=domain)))')).not.toContain(base.toString());
  });

  it.each([
    ['integerMatch', '(uidnumber=7)', 'user 7'],
    ['integerOrderingMatch', '(&(uidnumber>=7)(uidnumber<=7))', 'user 7'],
    ['telephoneNumberMatch', '(mobile=+1555-7)', 'user 7'],
    ['caseIgnoreMatch with spaces', '(cn=  USER   7)', 'user 7'],
    ['caseExactMatch by OID', '(cn:2.5.13.5:=user 7)', 'user 7'],
    ['distinguishedNameMatch', '(entrydn=CN=user 7, OU=People,dc=EXAMPLE,dc=org)', 'user 7'],
    ['objectIdentifierMatch by OID and superclass', '(&(objectclass=2.5.6.6)(uidnumber=7))', 'user 7'],
    ['dnAttributes', '(&(ou:dn:=people)(uidnumber=7))', 'user 7'],
    ['a supertype', '(&(name=user 7)(uidnumber=*))', 'user 7'],
  ])('matches by %s', async (_rule, text, expected) => {
    expect(await found(text)).toEqual([`cn=${expected},ou=people,${base}`]);
  });

  it('returns a base first that is younger than its children', async () => {
    const { service } = opened.directory;
    await service.add(named('mover'), person());
    await service.add(unit('young'), attributes({ objectclass: ['organizationalUnit'] }));
    await service.rename(named('mover'), { rdn: named('mover').rdn, parent: unit('young') });
    const entries = await service.search({
      base: unit('young'),
      scope: 'sub',
      filter: parseFilter('(objectclass=*)'),
    });
    expect(entries.map(({ dn }) => dn)).toEqual([`ou=young,${base}`, `cn=mover,ou=young,${base}`]);
  });
});

async function fill({ directory }: TestDirectory): Promise<void> {
  const { service } = directory;
  const people = unit('people');
  await service.add(people, attributes({ objectclass: ['organizationalUnit'] }));
  for (let n = 0; n < 60; n += 1) {
    const pick = (step: number) => words[(n * step) % words.length] ?? '';
    const posix = { uidnumber: [String(n)], gidnumber: ['1'], homedirectory: ['/'], uid: [pick(3)] };
    const more = {
      cn: [`user ${n}`, pick(1)],
      sn: [pick(7)],
      mobile: [`+1 555 ${n}`],
      description: [pick(5)],
    };
    const classes = {
      objectclass: n % 2 ? ['inetOrgPerson', 'posixAccount'] : ['inetOrgPerson', 'extensibleObject'],
    };
    await service.add(named(`user ${n}`, people), attributes({ ...posix, ...more, ...classes }));
  }
  for (let n = 0; n < 3; n += 1) {
    const member = [0, 1, 2, 3].map((step) => `cn=user ${n * 5 + step * (n + 1)},ou=people,${base}`);
    await service.add(named(`group ${n}`), attributes({ objectclass: ['groupOfNames'], member }));
  }
}
