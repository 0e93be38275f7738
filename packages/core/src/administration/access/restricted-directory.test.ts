/** A directory within rights: each change is refused for its own reason, and made where nothing is against it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { textsOf } from '../../foundation/text/value.ts';
import type { Change, Directory } from '../../ports/directory/directory.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const room = `ou=room,${desk}`;
const lab = `ou=lab,${people}`;
const boss = `uid=boss,${desk}`;
const carol = `uid=carol,${desk}`;
const dora = `displayName=Dora,${desk}`;
const device = `cn=device,${desk}`;
const ours = `cn=ours,${desk}`;
const theirs = `cn=theirs,${desk}`;

const person = { objectclass: ['inetOrgPerson'], cn: ['X'], sn: ['X'] };
const role = { members: [`uid=bob,${people}`], methods: ['*'] };
const roles = {
  desk: {
    ...{ ...role, subtrees: [desk], read: ['cn', 'mail', 'displayName', 'userPassword', 'employeeNumber'] },
    write: ['cn', 'sn', 'mail', 'uid', 'member', 'ou'],
    create: ['inetOrgPerson', 'groupOfNames'],
  },
  lab: { ...role, subtrees: [lab], write: ['*', 'userPassword'], create: ['inetOrgPerson'] },
};

let fixture: Fixture;
let service: Directory;
let directory: Directory;
beforeAll(async () => {
  // The directory itself answers a number with all other attributes.
  const schema = { password_attributes: ['userPassword', 'employeeNumber'] };
  fixture = await openFixture({ config: { roles, schema, super_admins: [boss] } });
  ({ service } = fixture.directory);
  for (const dn of [desk, room, lab]) await add(dn, { objectclass: ['organizationalUnit'] });
  await add(boss, { ...person, userpassword: ['boss-Pa55'] });
  // Decides, and is out of reach: the user with the login name is a member.
  const group = { objectclass: ['posixGroup', 'webadmGroup'], gidnumber: ['5000'], memberuid: ['newcomer'] };
  await add(`cn=keys,ou=groups,${base}`, group);
});
afterAll(() => fixture.close());

beforeEach(async () => {
  const rights = await fixture.core.roles.rights(Dn.parse(`uid=bob,${people}`), 'Manager');
  if (!rights) throw new Error('no administrator');
  ({ directory } = rights.over(service, 'Set_User_Attrs', service));
  for (const dn of [carol, dora, device, ours, theirs, `uid=new,${desk}`, `displayName=Dora,${room}`])
    if (await service.read(Dn.parse(dn), ['1.1'])) await service.remove(Dn.parse(dn));
  await add(carol, {
    ...person,
    mobile: ['42'],
    mail: ['carol@example.org'],
    employeenumber: ['7'],
    userpassword: ['carol-Pa55'],
  });
  await add(dora, { ...person, uid: ['dora'] });
  await add(device, { objectclass: ['device'] });
  await add(ours, { objectclass: ['groupOfNames'], member: [carol] });
  await add(theirs, { objectclass: ['groupOfNames'], member: [boss] });
});

const add = (dn: string, attributes: Record<string, string[]>, to = service) =>
  to.add(Dn.parse(dn), new Map(Object.entries(attributes)));

const change = (dn: string, ...changes: [Change['operation'], string, string[]][]) =>
  directory.modify(
    Dn.parse(dn),
    changes.map(([operation, attribute, values]) => ({ operation, attribute, values })),
  );

const rename = (dn: string, name: string, parent?: string) => {
  const { rdn } = Dn.parse(`${name},${base}`);
  return directory.rename(Dn.parse(dn), { rdn, ...(parent && { parent: Dn.parse(parent) }) });
};

const remove = (dn: string) => directory.remove(Dn.parse(dn));
const setPassword = (dn: string) => directory.setPassword(Dn.parse(dn), 'mine-Now-1', { mustChange: false });
const judge = (dn: string, attribute: string) => directory.assertWritable(Dn.parse(dn), attribute);

/** An entry as the service sees it. */
const valuesOf = async (dn: string, attribute: string) =>
  textsOf((await service.read(Dn.parse(dn), [attribute]))?.attributes.get(attribute) ?? []);

const isThere = async (dn: string) => (await service.read(Dn.parse(dn), ['1.1'])) !== undefined;

describe('a change within rights', () => {
  it.each<[string, () => Promise<void>, RegExp]>([
    [
      'a class',
      () => add(`ou=x,${desk}`, { objectclass: ['organizationalUnit'] }, directory),
      /organizationalUnit/,
    ],
    ['a value', () => add(`uid=new,${desk}`, { ...person, mobile: ['1'] }, directory), /write mobile/],
    ['a value of its name', () => add(`mobile=1,${desk}`, person, directory), /write mobile/],
    [
      'a class in its name',
      () => add(`uid=x+objectClass=device,${lab}`, person, directory),
      /write objectClass/,
    ],
    ['a login name of another', () => add(`uid=alice,${desk}`, person, directory), /login name/],
    [
      'a member who may do more',
      () => add(`cn=new,${desk}`, { objectclass: ['groupOfNames'], member: [boss] }, directory),
      /has a member/,
    ],
    ['a name that a group has', () => add(`uid=newcomer,${desk}`, person, directory), /join or leave/],
    ['a name of a superior', () => change(boss, ['replace', 'mail', ['x@example.org']]), /may do more/],
    [
      'an attribute',
      () => change(carol, ['replace', 'mail', ['x@example.org']], ['add', 'mobile', ['1']]),
      /write mobile/,
    ],
    ['a new class', () => change(carol, ['add', 'objectClass', ['posixAccount']]), /posixAccount/],
    ['all classes', () => change(device, ['delete', 'objectClass', []]), /a device/],
    ['a changed login name of another', () => change(carol, ['add', 'uid', ['alice']]), /login name/],
    ['a further member who may do more', () => change(ours, ['add', 'member', [boss]]), /has a member/],
    ['a changed name that a group has', () => change(carol, ['add', 'uid', ['newcomer']]), /join or leave/],
    ['a place of another role', () => rename(carol, 'uid=carol', lab), /new place/],
    ['a name by an attribute', () => rename(dora, 'displayName=Eve'), /write displayName/],
    ['a name in other letters', () => rename(dora, 'displayName=DORA'), /write displayName/],
    ['a name at another place', () => rename(dora, 'displayName=Eve', room), /write displayName/],
    ['a class at another place', () => rename(device, 'cn=device', room), /a device/],
    ['a new login name of another', () => rename(carol, 'uid=alice'), /login name/],
    ['a new name of a group', () => rename(theirs, 'cn=other'), /has a member/],
    ['a new name that a group has', () => rename(carol, 'uid=newcomer'), /join or leave/],
    ['an entry of a class', () => remove(device), /a device/],
    ['a group of who may do more', () => remove(theirs), /has a member/],
    ['a password', () => setPassword(carol), /passwords/],
    ['a judged attribute', () => judge(carol, 'mobile'), /write mobile/],
  ])('is refused for %s', async (_, attempt, why) => {
    const detail = expect.stringMatching(why);
    await expect(attempt()).rejects.toMatchObject({ reason: 'permission_denied', detail });
  });

  it('is made where nothing is against it', async () => {
    await add(`uid=new,${desk}`, { ...person, objectclass: ['top', 'inetOrgPerson'] }, directory);
    expect(await isThere(`uid=new,${desk}`)).toBe(true);
    await change(
      carol,
      ['replace', 'mail', ['new@example.org']],
      ['replace', 'objectClass', ['inetOrgPerson']],
    );
    expect(await valuesOf(carol, 'mail')).toEqual(['new@example.org']);
    await change(device, ['replace', 'cn', ['device', 'machine']]);
    await rename(device, 'cn=machine');
    expect(await isThere(`cn=machine,${desk}`)).toBe(true);
    await rename(`cn=machine,${desk}`, 'cn=device');
    await rename(dora, 'displayName=Dora', room);
    expect(await isThere(`displayName=Dora,${room}`)).toBe(true);
    await change(ours, ['add', 'member', [`displayName=Dora,${room}`]]);
    await remove(carol);
    expect(await isThere(carol)).toBe(false);
    await expect(remove(carol)).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('sets a password, and judges an attribute, as the directory does', async () => {
    const dn = `uid=erin,${lab}`;
    await add(dn, { ...person, userpassword: ['erin-Pa55'] });
    const before = await valuesOf(dn, 'userpassword');
    await setPassword(dn);
    expect(await valuesOf(dn, 'userpassword')).not.toEqual(before);
    await judge(dn, 'mail');
    await service.remove(Dn.parse(dn));
    await expect(judge(dn, 'mail')).rejects.toMatchObject({ reason: 'not_found' });
  });
});

describe('an entry within rights', () => {
  const read = async (dn: string, attributes?: string[]) => {
    const entry = await directory.read(Dn.parse(dn), attributes);
    return (
      entry && Object.fromEntries([...entry.attributes].map(([name, values]) => [name, textsOf(values)]))
    );
  };

  it('shows what may be read, and a password only by its name', async () => {
    const shown = { objectclass: ['inetOrgPerson'], cn: ['X'], sn: ['X'], uid: ['carol'] };
    const mail = ['carol@example.org'];
    expect(await read(carol)).toMatchObject({ ...shown, mail });
    for (const attributes of [undefined, ['*'], ['*', '+']]) {
      const names = Object.keys((await read(carol, attributes)) ?? {});
      expect(names.filter((name) => /mobile|employeenumber|userpassword/.test(name))).toEqual([]);
    }
    expect(await read(carol, ['mail', 'USERPASSWORD', 'employeeNumber'])).toEqual({
      ...{ mail, employeenumber: ['7'], userpassword: [expect.stringMatching(/^\{/)] },
    });
    expect(await read(`uid=gone,${desk}`, ['mail'])).toBeUndefined();
  });

  it('is refused out of reach, there or not, and by an attribute that may not be read', async () => {
    const denied = { reason: 'permission_denied' };
    for (const dn of [`uid=alice,${people}`, `uid=gone,${people}`])
      for (const attributes of [undefined, [], ['1.1']])
        await expect(read(dn, attributes)).rejects.toMatchObject(denied);
    await expect(read(carol, ['mail', 'mobile'])).rejects.toMatchObject(denied);
  });

  it('of an administrator who may do more shows no password', async () => {
    expect(await read(boss, ['cn'])).toEqual({ cn: ['X'] });
    await expect(read(boss, ['cn', 'userPassword'])).rejects.toMatchObject({ reason: 'permission_denied' });
  });
});
