/** Groups that an entry enters and leaves by its primary group, which only Active Directory has. */
import { expect, it } from 'vitest';
import { primarySid } from '../../../directory/entry/group.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { type Attributes, sameValue } from '../../../foundation/text/value.ts';
import { readServiceConfig } from '../../../index.ts';
import { JoinedGroups } from './joined-groups.ts';

/** A SID that ends with a number, and is no text ([MS-DTYP] §2.4.2.2). */
const sidOf = (number: number): Buffer => {
  const sid = Buffer.from('01050000000000051500000001000000020000fffffffff000000000', 'hex');
  sid.writeUInt32LE(number, sid.length - 4);
  return sid;
};
const dn = Dn.parse('cn=eve,dc=example,dc=org');
const group = { dn: 'cn=staff,dc=example,dc=org', attributes: new Map() };
const { schema } = readServiceConfig({ domains: { Default: { base: 'dc=example,dc=org' } } });

/** The groups of an entry with these attributes, while the one group has the number 513. */
const joinedFrom = (attributes: Attributes) =>
  new JoinedGroups(
    schema,
    async () => ({ dn: dn.format(), attributes }),
    async (entry) => (sameValue(primarySid(entry) ?? '', sidOf(513)) ? [group] : []),
  );
const eve: Attributes = new Map([
  ['objectsid', [sidOf(1500)]],
  ['primarygroupid', ['514']],
]);

it('finds the primary group that an entry gets, is made with, and loses', async () => {
  const set = { operation: 'replace', attribute: 'primaryGroupID' } as const;
  expect(await joinedFrom(eve).ofChanges(dn, [{ ...set, values: ['513'] }])).toEqual([group]);
  expect(await joinedFrom(eve).ofChanges(dn, [{ ...set, values: ['515'] }])).toEqual([]);
  const member: Attributes = new Map([...eve, ['primarygroupid', ['513']]]);
  expect(await joinedFrom(eve).ofNew(dn, member)).toEqual([group]);
  expect(await joinedFrom(member).ofChanges(dn, [{ ...set, values: ['515'] }])).toEqual([group]);
  const end = { operation: 'delete', attribute: 'primaryGroupID', values: [] } as const;
  expect(await joinedFrom(member).ofChanges(dn, [end])).toEqual([group]);
});
