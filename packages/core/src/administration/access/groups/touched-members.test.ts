/** Members that a change of a group touches, and whether the group decides for its members. */
import { expect, it } from 'vitest';
import { Dn } from '../../../foundation/text/dn.ts';
import { readServiceConfig } from '../../../index.ts';
import type { Change } from '../../../ports/directory/directory.ts';
import { AffectedMembers } from './affected-members.ts';

const { schema } = readServiceConfig({ domains: { Default: { base: 'dc=example,dc=org' } } });
const group = Dn.parse('cn=group,dc=example,dc=org');
type Row = Readonly<Record<string, readonly string[]>>;

const touchedOf = (before: Row) =>
  new AffectedMembers(schema, async (dn) => ({
    dn: dn.format(),
    attributes: new Map(Object.entries(before)),
  }));
const plain: Row = { objectclass: ['groupOfNames'], member: ['cn=a', 'cn=b'] };
const settings = ['Otp.MaxTries=3'];

it.each<[boolean, Row]>([
  [false, { objectclass: ['groupOfNames'] }],
  [true, { objectclass: ['groupOfNames', 'WEBADMGROUP'] }],
  [true, { objectclass: ['groupOfNames'], webadmsettings: settings }],
])('a group decides: %s, when it is made with, or is, %j', async (decides, attributes) => {
  const member = ['cn=a'];
  const made = touchedOf({}).ofNew(group, new Map(Object.entries({ ...attributes, member })));
  expect(made).toMatchObject({ names: { dns: member }, decides });
  const join: Change = { operation: 'add', attribute: 'member', values: ['cn=c'] };
  const changed = await touchedOf({ ...attributes, member }).ofChanges(group, [join]);
  expect(changed).toMatchObject({ names: { dns: ['cn=c'] }, decides });
  expect(await touchedOf({ ...attributes, member }).ofWhole(group)).toMatchObject({
    ...{ names: { dns: member }, decides },
  });
});

it.each<[string, Change['operation'], readonly string[], readonly string[] | undefined, boolean]>([
  ['member', 'add', ['cn=c'], ['cn=c'], false],
  ['member', 'add', [], [], false],
  ['member', 'delete', ['cn=a'], ['cn=a'], false],
  ['member', 'delete', [], ['cn=a', 'cn=b'], false],
  ['member', 'replace', ['CN=A', 'cn=c'], ['cn=b', 'cn=c'], false],
  ['objectClass', 'add', ['device'], ['cn=a', 'cn=b'], false],
  ['objectClass', 'add', ['webadmGroup'], ['cn=a', 'cn=b'], true],
  ['gidNumber', 'replace', ['7'], ['cn=a', 'cn=b'], false],
  ['webadmSettings', 'replace', settings, ['cn=a', 'cn=b'], true],
  ['description', 'replace', ['x'], undefined, false],
])('a change of %s (%s %j) touches the members %j', async (attribute, operation, values, dns, decides) => {
  const changed = await touchedOf(plain).ofChanges(group, [{ attribute, operation, values }]);
  if (dns) expect(changed).toMatchObject({ names: { dns }, decides });
  else expect(changed).toBeUndefined();
});

it('a new name touches the members of the group and those that the name names', async () => {
  const to = { rdn: Dn.parse('cn=group+member=cn\\=c,dc=example').rdn };
  expect(await touchedOf(plain).ofWhole(group, to)).toMatchObject({
    ...{ names: { dns: ['cn=a', 'cn=b', 'cn=c'] }, decides: false },
  });
});
