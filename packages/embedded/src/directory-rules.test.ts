import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dn } from '../../core/src/foundation/text/dn.ts';
import { parseFilter } from '../../core/src/foundation/text/filter-text.ts';
import type { AttributeValue } from '../../core/src/foundation/text/value.ts';
import type { Directory } from '../../core/src/ports/directory/directory.ts';
import { KeptLog } from '../../core/src/testing/kept-log.ts';
import { systemClock, systemRandom } from '../../node/src/machine/index.ts';
import { openDirectory } from './index.ts';
import {
  administrators,
  attributes,
  base,
  collect,
  named,
  openTestDirectory,
  person,
  type TestDirectory,
  unit,
} from './testing/test-directory.ts';

let opened: TestDirectory;
let service: Directory;
let here: Dn;
let count = 0;
beforeAll(async () => {
  opened = await openTestDirectory();
  service = opened.directory.service;
});
afterAll(() => opened.dispose());
beforeEach(async () => {
  count += 1;
  here = unit(`case ${count}`);
  await service.add(here, attributes({ objectclass: ['organizationalUnit'] }));
});

const read = async (dn: Dn, name: string) => (await service.read(dn, [name]))?.attributes.get(name) ?? [];
const group = (...members: readonly Dn[]) =>
  attributes({ objectclass: ['groupOfNames'], member: members.map((member) => member.toString()) });

describe('group', () => {
  const gid = { gidnumber: ['100'], memberuid: ['alice'] };

  it.each<[string, Record<string, readonly AttributeValue[]>, string]>([
    ['of names without a member', { objectclass: ['groupOfNames'] }, 'groupOfNames'],
    ['of unique names without a member', { objectclass: ['groupOfUniqueNames'] }, 'groupOfUniqueNames'],
    ['of POSIX alone', { objectclass: ['posixGroup'], ...gid }, 'posixGroup'],
    ['of POSIX with members', { objectclass: ['posixGroup', 'groupOfNames'], ...gid }, 'groupOfNames'],
    [
      'of POSIX and a role',
      { objectclass: ['organizationalRole', 'posixGroup'], ...gid },
      'organizationalRole',
    ],
  ])('accepts a group %s', async (_, given, structural) => {
    const dn = named('it', here);
    await service.add(dn, attributes(given));
    expect(await read(dn, 'structuralobjectclass')).toEqual([structural]);
  });

  it('may lose and regain its last member, and become a POSIX group', async () => {
    const [dn, user] = [named('it', here), named('user', here)];
    await service.add(user, person());
    await service.add(dn, group(user));
    await service.modify(dn, [{ operation: 'delete', attribute: 'member', values: [] }]);
    expect(await read(user, 'memberof')).toEqual([]);
    await service.modify(dn, [
      { operation: 'add', attribute: 'objectClass', values: ['posixGroup'] },
      { operation: 'add', attribute: 'gidNumber', values: ['100'] },
      { operation: 'add', attribute: 'member', values: [user.toString()] },
    ]);
    expect(await read(user, 'memberof')).toEqual([dn.toString()]);
  });

  it('needs a number and at most one other structural class as a POSIX group', async () => {
    const add = (given: Record<string, readonly AttributeValue[]>) =>
      service.add(named('it', here), attributes(given));
    await expect(add({ objectclass: ['groupOfNames', 'posixGroup'] })).rejects.toMatchObject({
      detail: "object class violation: object class 'posixGroup' requires attribute 'gidNumber'",
    });
    await expect(
      add({ objectclass: ['groupOfNames', 'posixGroup', 'device'], ...gid }),
    ).rejects.toMatchObject({
      detail: 'object class violation: invalid structural object class chain (groupOfNames/device)',
    });
  });
});

describe('schema check', () => {
  type Given = Record<string, readonly AttributeValue[]>;
  it.each<[string, Given, string]>([
    ['no class', {}, 'object class violation: no objectClass attribute'],
    [
      'an unknown class',
      { objectclass: ['nonsense'] },
      'objectClass: value #0 invalid per syntax (no such class)',
    ],
    [
      'no structural class',
      { objectclass: ['top', 'webadmAccount'] },
      'object class violation: no structural object class provided',
    ],
    [
      'two structural chains',
      { objectclass: ['person', 'device'], sn: ['x'] },
      'object class violation: invalid structural object class chain (person/device)',
    ],
    [
      'a missing attribute',
      { objectclass: ['person'] },
      "object class violation: object class 'person' requires attribute 'sn'",
    ],
    [
      'an attribute that is not allowed',
      { objectclass: ['person'], sn: ['x'], mail: ['x'] },
      "object class violation: attribute 'mail' not allowed",
    ],
    [
      'an unknown attribute',
      { objectclass: ['person'], sn: ['x'], nonsense: ['x'] },
      'nonsense: attribute type undefined',
    ],
    [
      'two values of a single-valued attribute',
      { objectclass: ['inetOrgPerson'], sn: ['x'], displayname: ['a', 'b'] },
      "constraint violation: attribute 'displayName' cannot have multiple values",
    ],
    ['a value twice', { objectclass: ['person'], sn: ['x', ' X '] }, 'sn: value #1 provided more than once'],
    [
      'a wrong syntax',
      { objectclass: ['groupOfNames'], member: ['nobody'] },
      'member: value #0 invalid per syntax',
    ],
    ['an empty value', { objectclass: ['person'], sn: [''] }, 'sn: value #0 invalid per syntax'],
    ['half a surrogate pair', { objectclass: ['person'], sn: ['\ud800'] }, 'sn: value #0 invalid per syntax'],
    [
      'an attribute that only the directory writes',
      { objectclass: ['person'], sn: ['x'], entryuuid: ['x'] },
      'entryUUID: no user modification allowed',
    ],
    [
      'memberOf',
      { objectclass: ['person'], sn: ['x'], memberof: [`cn=x,${base}`] },
      'memberOf: no user modification allowed',
    ],
    ['an option', { objectclass: ['person'], 'sn;lang-de': ['x'] }, 'sn: option not supported'],
  ])('refuses %s', async (_what, given, detail) => {
    const adding = service.add(named('x', here), attributes(given));
    await expect(adding).rejects.toMatchObject({ reason: 'schema_refused', detail });
  });

  it('allows any attribute in an extensibleObject', async () => {
    const given = { objectclass: ['person', 'extensibleObject'], sn: ['x'], mail: ['x@example.org'] };
    await service.add(named('x', here), attributes(given));
    expect(await read(named('x', here), 'mail')).toEqual(['x@example.org']);
  });

  it('refuses to remove the naming value or to change the structural class', async () => {
    const dn = named('x', here);
    await service.add(dn, person());
    const removing = service.modify(dn, [{ operation: 'replace', attribute: 'cn', values: ['y'] }]);
    await expect(removing).rejects.toMatchObject({
      detail: expect.stringContaining("naming attribute 'cn'"),
    });
    const changing = service.modify(dn, [
      { operation: 'replace', attribute: 'objectClass', values: ['person'] },
    ]);
    const detail = "structural object class modification from 'inetOrgPerson' to 'person' not allowed";
    await expect(changing).rejects.toMatchObject({ reason: 'schema_refused', detail });
  });
});

describe('referential integrity', () => {
  it('renames references with a subtree', async () => {
    const [team, user] = [unit('team', here), named('user', unit('team', here))];
    await service.add(team, attributes({ objectclass: ['organizationalUnit'] }));
    await service.add(user, person());
    await service.add(named('report', here), person({ manager: [user.toString()] }));
    await service.add(named('group', here), group(user));
    await service.add(
      named('unique', here),
      attributes({ objectclass: ['groupOfUniqueNames'], uniquemember: [`${user}#'01'B`] }),
    );
    await service.rename(team, { rdn: unit('crew').rdn });
    const moved = named('user', unit('crew', here));
    expect(await read(named('group', here), 'member')).toEqual([moved.toString()]);
    expect(await read(named('unique', here), 'uniquemember')).toEqual([`${moved}#'01'B`]);
    expect(await read(named('report', here), 'manager')).toEqual([moved.toString()]);
    expect(await read(moved, 'memberof')).toEqual([`cn=group,${here}`, `cn=unique,${here}`]);
  });

  it('removes references with the entry, so that a new entry of that name inherits nothing', async () => {
    const [user, other] = [named('user', here), named('other', here)];
    for (const dn of [user, other]) await service.add(dn, person());
    await service.add(named('both', here), group(user, other));
    await service.add(named('last', here), group(user));
    await service.remove(user);
    expect(await read(named('both', here), 'member')).toEqual([other.toString()]);
    expect(await read(named('last', here), 'member')).toEqual([]);
    await service.add(user, person());
    expect(await read(user, 'memberof')).toEqual([]);
  });

  it('does not weaken the checks of a move below itself or onto another entry', async () => {
    await service.add(unit('a', here), attributes({ objectclass: ['organizationalUnit'] }));
    await service.add(unit('b', here), attributes({ objectclass: ['organizationalUnit'] }));
    const below = service.rename(unit('a', here), { rdn: unit('c').rdn, parent: unit('a', here) });
    await expect(below).rejects.toMatchObject({ reason: 'schema_refused' });
    const over = service.rename(unit('a', here), { rdn: unit('B').rdn });
    await expect(over).rejects.toMatchObject({ reason: 'already_exists' });
    await expect(service.rename(base, { rdn: base.rdn })).rejects.toMatchObject({ reason: 'schema_refused' });
    await expect(service.remove(base)).rejects.toMatchObject({ reason: 'schema_refused' });
  });
});

describe('access', () => {
  const bound = async (dn: Dn) => {
    const result = await opened.directory.bind(dn, 'secret');
    return result.granted ? result.directory : expect.fail(result.refusal);
  };

  it('allows writes while the identity is a member of a group of writers, and reads otherwise', async () => {
    const [admin, other] = [named('admin', here), named('other', here)];
    for (const dn of [admin, other]) await service.add(dn, person({ userpassword: ['secret'] }));
    await service.add(administrators, group(admin, other));
    const view = await bound(admin);
    await view.modify(other, [{ operation: 'add', attribute: 'description', values: ['seen'] }]);
    await service.modify(administrators, [
      { operation: 'delete', attribute: 'member', values: [admin.toString()] },
    ]);
    const change = view.modify(other, [{ operation: 'add', attribute: 'description', values: ['more'] }]);
    await expect(change).rejects.toMatchObject({ reason: 'permission_denied' });
    expect((await view.read(other))?.attributes.get('description')).toEqual(['seen']);
  });

  it('hides passwords from readers, and from their searches', async () => {
    const reader = named('reader', here);
    await service.add(reader, person({ userpassword: ['secret'] }));
    const view = await bound(reader);
    expect((await view.read(reader, ['userpassword', 'sn']))?.attributes).toEqual(
      new Map([['sn', ['Person']]]),
    );
    const byRule = '(!(userpassword:octetStringMatch:=x))';
    for (const text of ['(userpassword=*)', '(!(userpassword=x))', '(:octetStringMatch:={SSHA}x)', byRule]) {
      expect(await view.search({ base: here, scope: 'sub', filter: parseFilter(text) }), text).toEqual([]);
    }
    expect((await service.read(reader))?.attributes.has('userpassword')).toBe(false);
    expect((await service.read(reader, ['userpassword']))?.attributes.has('userpassword')).toBe(true);
  });

  it.each([
    ['000001010000Z', 'account_disabled'],
    ['20260101000000Z', 'account_locked'],
  ])('refuses the right password while the account is locked (%s)', async (time, refusal) => {
    const dn = named('locked', here);
    await service.add(dn, person({ userpassword: ['secret'] }));
    await service.modify(dn, [{ operation: 'replace', attribute: 'pwdAccountLockedTime', values: [time] }]);
    expect(await opened.directory.authenticate(dn, 'secret')).toEqual({ granted: false, refusal });
    expect(await opened.directory.authenticate(dn, 'wrong')).toEqual({
      granted: false,
      refusal: 'wrong_password',
    });
    await service.modify(dn, [{ operation: 'replace', attribute: 'pwdAccountLockedTime', values: [] }]);
    expect(await opened.directory.authenticate(dn, 'secret')).toMatchObject({ granted: true });
  });
});

describe('import', () => {
  it('keeps identity and times, hashes passwords, and drops computed attributes', async () => {
    const dn = named('imported', here);
    const added = await opened.directory.importLdif(`dn: ${dn}
objectClass: inetOrgPerson
cn: imported
sn: x
userPassword: secret
entryUUID: 11111111-2222-4333-8444-555555555555
createTimestamp: 20200101000000Z
memberOf: cn=nothing,dc=example,dc=org
pwdFailureTime: 20200101000000Z
`);
    expect(added).toBe(1);
    expect(await read(dn, 'entryuuid')).toEqual(['11111111-2222-4333-8444-555555555555']);
    expect(await read(dn, 'createtimestamp')).toEqual(['20200101000000Z']);
    expect(await read(dn, 'memberof')).toEqual([]);
    expect(await opened.directory.authenticate(dn, 'secret')).toMatchObject({ granted: true });
  });

  it('keeps a hash that never matches, and logs its user at a login', async () => {
    const dn = named('yescrypt', here);
    await opened.directory.importLdif(
      `dn: ${dn}\nobjectClass: person\nsn: x\nuserPassword: {CRYPT}$y$j9T$a$b\n`,
    );
    const log = new KeptLog();
    const ports = { clock: systemClock, random: systemRandom, log };
    const directory = await openDirectory(opened.environment, { base }, ports);
    expect(await directory.authenticate(dn, 'secret')).toMatchObject({ granted: false });
    expect(await directory.authenticate(named('nobody', here), 'secret')).toMatchObject({ granted: false });
    expect(log.lines).toMatchObject([
      { level: 'warn', fields: { user: dn.toString(), scheme: '{CRYPT}$y$' } },
    ]);
  });

  it('reports progress after each transaction, and the line of an error', async () => {
    const record = (n: number) => `dn: cn=${n},${here}\nobjectClass: person\nsn: ${n}\n\n`;
    const progress: number[] = [];
    const text = Array.from({ length: 700 }, (_, n) => record(n)).join('');
    await opened.directory.importLdif(text, { onProgress: (entries) => progress.push(entries) });
    expect(progress).toEqual([500, 700]);
    const again = opened.directory.importLdif(
      `dn: cn=new,${here}\nobjectClass: person\nsn: x\n\n${record(3)}`,
    );
    await expect(again).rejects.toMatchObject({
      reason: 'already_exists',
      detail: expect.stringContaining('LDIF line 5'),
    });
    expect(await service.read(named('new', here))).toBeUndefined();
  });

  it('exports without overlay attributes when overlays is false', async () => {
    await service.add(named('member', here), person({ userpassword: ['secret'] }));
    await service.add(named('group', here), group(named('member', here)));
    const text = await collect(opened.directory.exportLdif({ overlays: false }));
    expect(text).not.toMatch(/^(?:memberOf|pwd)/m);
    expect(await collect(opened.directory.exportLdif())).toMatch(/^memberOf: .*\n(?:.+\n)*/m);
  });
});
