/** Contract: filters of every kind, RFC 4511 §4.5.1.7, and values that look like filters. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dn } from '../../../foundation/text/dn.ts';
import { and, equal, type Filter, matchAll, not, or } from '../../../foundation/text/filter.ts';
import { parseFilter } from '../../../foundation/text/filter-text.ts';
import { namesOf, type TestBed } from './test-bed.ts';

const posix = ['inetOrgPerson', 'webadmAccount', 'posixAccount'];
const account = (n: number) => ({
  objectclass: posix,
  uidnumber: [String(n)],
  gidnumber: ['1'],
  homedirectory: ['/home/x'],
});

/** Filter text → names found among Alpha, Beta, Gamma (with `*`), Éva and Delta (who has no mail). */
const findings: readonly [string, readonly string[]][] = [
  ['(cn=Alpha)', ['Alpha']],
  ['(cn=alpha)', ['Alpha']],
  ['cn=Alpha', ['Alpha']],
  ['(CN=Alpha)', ['Alpha']],
  ['(2.5.4.3=Alpha)', ['Alpha']],
  ['(cn=Al*)', ['Alpha']],
  ['(cn=*a)', ['Alpha', 'Beta', 'Éva', 'Delta']],
  ['(cn=*lph*)', ['Alpha']],
  ['(cn=A*p*a)', ['Alpha']],
  ['(cn=A*a*p)', []],
  ['(cn=\\c3\\89va)', ['Éva']],
  ['(cn=\\c3\\89*)', ['Éva']],
  ['(cn=Éva)', ['Éva']],
  ['(cn=*\\2a*)', ['Gamma *(x)\\']],
  ['(cn=Gamma \\2a\\28x\\29\\5c)', ['Gamma *(x)\\']],
  ['(mail=*)', ['Alpha', 'Beta', 'Gamma *(x)\\', 'Éva']],
  ['(!(mail=*))', ['Delta']],
  ['(&(mail=*)(sn=Greek))', ['Alpha', 'Beta', 'Gamma *(x)\\']],
  ['(|(cn=Alpha)(cn=Delta))', ['Alpha', 'Delta']],
  ['(&(objectClass=inetOrgPerson)(|(cn=Alpha)(cn=Beta))(!(cn=Beta)))', ['Alpha']],
  ['(uidNumber>=30)', ['Gamma *(x)\\', 'Éva', 'Delta']],
  ['(uidNumber<=20)', ['Alpha', 'Beta']],
  ['(&(uidNumber>=20)(uidNumber<=40))', ['Beta', 'Gamma *(x)\\', 'Éva']],
  ['(uidNumber=10)', ['Alpha']],
  ['(webadmSettings=Mode=LDAP)', ['Beta']],
  ['(webadmSettings=Mode=*)', ['Alpha', 'Beta']],
  ['(noSuchAttributeHere=1)', []],
];

export function describeFilters(bed: TestBed): void {
  describe('filters', () => {
    let base: Dn;
    const find = async (filter: Filter): Promise<string[]> =>
      namesOf(await bed.admin.search({ base, scope: 'one', filter, attributes: ['cn'] }));
    beforeAll(async () => {
      base = await bed.container();
      await populate(bed, base);
    });

    it.each(findings)('%s', async (text, names) => {
      expect(await find(parseFilter(text))).toEqual(names);
    });

    it('takes values as values, whatever they look like', async () => {
      expect(await find(equal('cn', 'Gamma *(x)\\'))).toEqual(['Gamma *(x)\\']);
      expect(await find(equal('cn', '*'))).toEqual([]);
      expect(await find(equal('cn', 'Alpha)(objectClass=*'))).toEqual([]);
      expect(await find(equal('cn', '\u0000'))).toEqual([]);
    });

    it('combines what code builds', async () => {
      const alphaOrBeta = or(equal('cn', 'Alpha'), equal('cn', 'Beta'));
      expect(await find(and(alphaOrBeta, not(equal('cn', 'Alpha'))))).toEqual(['Beta']);
    });

    if (bed.traits.absoluteFilters) {
      it('knows the filters that are always true and never true, RFC 4526', async () => {
        expect(await find(parseFilter('(&)'))).toEqual(await find(matchAll));
        expect(await find(parseFilter('(|)'))).toEqual([]);
      });
    }

    if (bed.traits.matchingRules) {
      it('matches by a named rule', async () => {
        expect(await find(parseFilter('(cn:caseExactMatch:=Alpha)'))).toEqual(['Alpha']);
        expect(await find(parseFilter('(cn:caseExactMatch:=alpha)'))).toEqual([]);
        expect(await find(parseFilter('(cn:2.5.13.5:=Alpha)'))).toEqual(['Alpha']);
      });
    }
  });
}

async function populate(bed: TestBed, base: Dn): Promise<void> {
  const people: [string, Record<string, string[]>][] = [
    [
      'Alpha',
      { sn: ['Greek'], mail: ['a@example.org'], webadmsettings: ['Mode=OTP', 'X=1'], ...account(10) },
    ],
    ['Beta', { sn: ['Greek'], mail: ['b@example.org'], webadmsettings: ['Mode=LDAP'], ...account(20) }],
    ['Gamma *(x)\\', { sn: ['Greek'], mail: ['c@example.org'], ...account(30) }],
    ['Éva', { sn: ['Name'], mail: ['e@example.org'], ...account(40) }],
    ['Delta', { sn: ['Greek'], ...account(100) }],
  ];
  for (const [name, more] of people) {
    await bed.person(base, name, {
      uid: [`${name.slice(0, 2)} of ${base.toString().slice(3, 10)}`],
      ...more,
    });
  }
}
