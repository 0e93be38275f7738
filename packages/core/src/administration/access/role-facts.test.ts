/** Facts about entries that rights are judged by: where an entry is, what it is, and whose group decides. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { ServiceError } from '../../index.ts';
import type { DirectoryServer, SearchRequest } from '../../ports/directory/directory.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import type { MadeRole } from './made/made-roles.ts';
import { Roles } from './roles.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const groupOf = (name: string) => `cn=${name},ou=groups,${base}`;

/** A directory whose owner of a group has written a `memberOf` into it. */
function claiming(directory: DirectoryServer, [group, above]: readonly [string, string]): DirectoryServer {
  const ofService = {
    search: async (request: SearchRequest) => {
      const found = await directory.service.search(request);
      return found.map((entry) =>
        entry.dn === group
          ? { ...entry, attributes: new Map([...entry.attributes, ['memberof', [above]]]) }
          : entry,
      );
    },
  };
  const service = over(directory.service, ofService);
  return over(directory, { service });
}

/** The same object with some members of another one in front. */
const over = <T extends object>(all: T, own: Partial<T>): T =>
  new Proxy(all, {
    get: (of, name) => {
      const value = Reflect.get(name in own ? own : of, name);
      return typeof value === 'function' && !(name in own) ? value.bind(of) : value;
    },
  });

let fixture: Fixture;
let facts: Roles;
beforeAll(async () => {
  const groups = { allowed_groups: [groupOf('admits')], excluded_groups: [groupOf('excludes')] };
  const client = { allowed_groups: [groupOf('lets')], groups: [{ group: groupOf('sets') }] };
  const roles = { auditor: { members: [`uid=eve,${people}`], methods: ['*'], subtrees: [base] } };
  fixture = await openFixture({
    config: { domains: { Default: { base, ...groups } }, clients: { vpn: client }, roles },
  });
  facts = fixture.core.roles;
  const make = (dn: string, attributes: Readonly<Record<string, string[]>>) =>
    fixture.directory.service.add(Dn.parse(dn), new Map(Object.entries(attributes)));
  await make(groupOf('posix'), { objectclass: ['posixGroup'], gidnumber: ['7000'], memberuid: ['nora'] });
  await make(`cn=odd,${people}`, { objectclass: ['device', 'extensibleObject'], member: [fixture.admin.dn] });
  await make(groupOf('inner'), { objectclass: ['groupOfNames'], member: [fixture.users.bob.dn] });
  const join = { operation: 'add', attribute: 'member', values: [groupOf('inner')] } as const;
  await fixture.directory.service.modify(Dn.parse(fixture.administrators), [join]);
});
afterAll(() => fixture.close());

describe('the place of an entry', () => {
  it.each([
    [`UID=Bob , OU=People,${base}`, `uid=bob,${people}`],
    [`uid=new,OU=People,${base}`, `uid=new,${people}`],
    [`uid=new,ou=None,${base}`, `uid=new,ou=None,${base}`],
    ['o=elsewhere', 'o=elsewhere'],
  ])('of %s is %s', async (dn, place) => {
    expect((await facts.place(Dn.parse(dn))).format()).toBe(place);
  });

  it('is looked for below no root', async () => {
    fixture.directory.takeAsked();
    await facts.place(Dn.parse('o=elsewhere'));
    expect(fixture.directory.takeAsked()).toEqual(['service.read']);
    expect((await facts.place(Dn.root)).isRoot).toBe(true);
  });
});

it.each([
  [`uid=bob,${people}`, false],
  [`uid=nobody,${people}`, true],
  [groupOf('posix'), true],
  [`cn=odd,${people}`, true],
])('%s may be a group: %s', async (dn, is) => {
  expect(await facts.mayBeGroup(Dn.parse(dn))).toBe(is);
});

it.each<[boolean, string, object]>([
  [false, 'other', { objectclass: ['groupOfNames'] }],
  [true, 'other', { objectclass: ['groupOfNames', 'webadmGroup'] }],
  [true, 'other', { objectclass: ['groupOfNames'], webadmsettings: ['Otp.MaxTries=3'] }],
  ...['admits', 'excludes', 'lets', 'sets'].map((name): [boolean, string, object] => [true, name, {}]),
])('a group decides: %s, when it is %s, %j', (decides, name, attributes) => {
  const group = { dn: groupOf(name).toUpperCase(), attributes: new Map(Object.entries(attributes)) };
  expect(facts.decides(group)).toBe(decides);
});

it('finds a super administrator by its name without a search, and by the group of the last time first', async () => {
  const { alice, bob } = fixture.users;
  const inner = groupOf('inner');
  const super_admins = [alice.dn, groupOf('posix'), fixture.administrators, inner];
  const node = await fixture.another({ config: { super_admins } });
  const found = async (dn: string, first?: string) => {
    node.directory.takeAsked();
    const mandate = await node.core.roles.mandate(Dn.parse(dn), first ? Dn.parse(first) : undefined);
    return [mandate?.voucher?.format(), node.directory.takeAsked().length];
  };
  expect(await found(alice.dn)).toEqual([alice.dn, 0]);
  expect(await found(bob.dn, inner)).toEqual([inner, 1]);
  expect(await found(bob.dn, fixture.administrators)).toEqual([inner, 5]);
  await node.close();
});

it('takes made roles but for those that the configuration has, and names writers when they change', async () => {
  const { directory, config } = fixture.core;
  const { auditor } = config.roles;
  if (!auditor) throw new Error('no role');
  const bob = Dn.parse(fixture.users.bob.dn);
  const row = { ...auditor, members: [bob.format()] };
  let made: readonly MadeRole[] = [{ name: 'Auditor', row }];
  let named = 0;
  const roles = new Roles({
    ...{ ...fixture.core, config: { ...config, super_admins: [] } },
    directory: { service: directory, setWriters: () => named++ },
    madeRoles: { read: async () => made },
  });
  expect([await roles.mandate(bob), await roles.mandate(bob), named]).toEqual([undefined, undefined, 2]);
  made = [...made, { name: 'desk', row }];
  expect(await roles.mandate(bob)).toMatchObject({ voucher: undefined, roles: [{ name: 'desk' }] });
  expect(named).toBe(3);
});

describe('a user', () => {
  const about = async (dn: string, uid: string) => {
    fixture.core.memberships.forget();
    fixture.directory.takeAsked();
    const is = await facts.isAdministrator({ dn, attributes: new Map([['uid', [uid]]]) });
    return { is, asks: fixture.directory.takeAsked().filter((name) => name !== 'capabilities').length };
  };

  it('is an administrator through a group in a group', async () => {
    expect(await about(fixture.users.bob.dn, 'bob')).toMatchObject({ is: true });
  });

  it('in no group is no administrator by two searches', async () => {
    expect(await about(fixture.users.alice.dn, 'alice')).toEqual({ is: false, asks: 2 });
  });

  it('is no administrator by the memberOf of a group', async () => {
    const ours = { objectclass: ['groupOfNames'], member: [fixture.users.alice.dn] };
    await fixture.directory.service.add(Dn.parse(groupOf('ours')), new Map(Object.entries(ours)));
    const claims = [groupOf('ours').toLowerCase(), fixture.administrators] as const;
    const node = await fixture.another({
      ports: ({ directory }) => ({ directory: claiming(directory, claims) }),
    });
    const alice = Dn.parse(fixture.users.alice.dn);
    const groups = await node.core.memberships.of({ dn: alice.format(), attributes: new Map() });
    expect(groups.map(({ dn }) => dn)).toContain(fixture.administrators);
    expect(await node.core.roles.mandate(alice)).toBeUndefined();
    expect(await node.core.roles.isAdministrator({ dn: alice.format(), attributes: new Map() })).toBe(false);
    await node.close();
    await fixture.directory.service.remove(Dn.parse(groupOf('ours')));
  });

  it('is no administrator by a login name', async () => {
    const node = await fixture.another({ config: { super_admins: [groupOf('posix')] } });
    const nora = { dn: fixture.users.alice.dn, attributes: new Map([['uid', ['nora']]]) };
    expect(await node.core.roles.isAdministrator(nora)).toBe(false);
    await node.close();
  });
});

it.each(['too_large', 'unavailable'] as const)(
  'an entry with below it %s is no leaf, or fails',
  async (reason) => {
    const search = () => Promise.reject(new ServiceError(reason));
    const service = { read: async () => undefined, search };
    const failing = new Roles({ ...fixture.core, directory: { service, setWriters: () => undefined } });
    const asked = failing.isLeaf(Dn.parse(people));
    if (reason === 'too_large') expect(await asked).toBe(false);
    else await expect(asked).rejects.toMatchObject({ reason });
  },
);
