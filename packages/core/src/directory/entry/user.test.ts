/** Users, domains and groups, on both engines. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../../foundation/text/filter.ts';
import { formatFilter } from '../../foundation/text/filter-text.ts';
import { readServiceConfig, ServiceError } from '../../index.ts';
import type { Directory } from '../../ports/directory/directory.ts';
import { forgiving } from '../../testing/bed/forgiving.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';
import { Domains } from '../domain.ts';
import type { Memberships } from '../groups/memberships.ts';
import { lookUp, spellingsOf, splitLogin, userFilter } from './user.ts';

it('negates no class that an Active Directory may lack', () => {
  expect(formatFilter(userFilter({ user_classes: ['user'] }, 'active-directory'))).toBe(
    '(&(|(objectClass=user))(!(objectClass=computer))(!(sAMAccountType=805306370)))',
  );
});

describe.each(engines)('users: %s', (engine) => {
  let stage: Stage;
  let manager: Stage['manager'];
  let container: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    manager = stage.manager;
    container = await stage.container();
  });
  afterAll(() => stage.close());

  const group = async (cn: string, attrs: Record<string, string | string[]>, above = container) => {
    const dn = `cn=${cn},${above}`;
    await manager.Create_LDAP_Object({ dn, attrs });
    return dn;
  };

  describe('Get_User_DN', () => {
    it('finds a user by the login attributes of the domain, in any case', async () => {
      const dn = await stage.person(container, 'finder', { mail: 'finder@x.org' });
      expect(await manager.Get_User_DN({ username: 'finder', domain: 'Default' })).toBe(dn);
      expect(await manager.Get_User_DN({ username: 'FINDER', domain: 'default' })).toBe(dn);
      const byMail = await stage.enter({
        config: { domains: { Mail: { base: stage.base, login_attributes: ['mail'] } } },
      });
      expect(await byMail.Get_User_DN({ username: 'finder@x.org', domain: 'Mail' })).toBe(dn);
      expect((await refusalOf(byMail.Get_User_DN({ username: 'finder', domain: 'Mail' }))).reason).toBe(
        'not_found',
      );
    });

    it('refuses an unknown user with the message of the interface', async () => {
      await stage.person(container, 'twin', { mail: 'one@x.org' });
      await group('nouser', { objectclass: ['groupOfNames', 'uidObject'], uid: 'nouser', member: container });
      const find = (username: string, domain = 'default') =>
        refusalOf(manager.Get_User_DN({ username, domain }));
      const nobody = (text: string) => ({ reason: 'not_found', detail: `User not found ${text}` });
      expect(await find('missing')).toEqual(nobody('default\\missing'));
      expect(await find('')).toEqual(nobody('default\\'));
      expect(await find('nouser')).toEqual(nobody('default\\nouser'));
      expect(await find('x', 'Elsewhere')).toEqual({
        reason: 'not_found',
        detail: "Domain 'Elsewhere' not existing",
      });
    });

    it('finds no user when two have the name', async () => {
      await stage.person(container, 'double1', { mail: 'same@x.org' });
      await stage.person(container, 'double2', { mail: 'same@x.org' });
      const byMail = await stage.enter({
        config: { domains: { Mail: { base: stage.base, login_attributes: ['uid', 'mail'] } } },
      });
      const refusal = await refusalOf(byMail.Get_User_DN({ username: 'same@x.org', domain: 'Mail' }));
      expect(refusal.detail).toBe('User not found Mail\\same@x.org (several entries have this login name)');
    });

    it('searches below the base of the domain only, and finds no user when it is missing', async () => {
      const inner = await stage.container(container);
      const dn = await stage.person(inner, 'insider');
      const domains = { Inner: { base: inner }, Gone: { base: `ou=gone,${inner}` } };
      const other = await stage.enter({ config: { domains } });
      await stage.person(container, 'outsider');
      expect(await other.Get_User_DN({ username: 'insider', domain: 'Inner' })).toBe(dn);
      for (const [username, domain] of [
        ['outsider', 'Inner'],
        ['insider', 'Gone'],
      ] as const) {
        expect((await refusalOf(other.Get_User_DN({ username, domain }))).reason).toBe('not_found');
      }
    });

    it('admits by groups anywhere, in any form of membership', async () => {
      const people = await stage.container(container);
      const elsewhere = await stage.container();
      const posix = { objectclass: ['inetOrgPerson', 'posixAccount'], uidnumber: '1', homedirectory: '/' };
      const byDn = await stage.person(people, 'bydn');
      const banned = await stage.person(people, 'banned');
      await stage.person(people, 'byuid');
      await stage.person(people, 'bygid', { ...posix, gidnumber: '5150' });
      await stage.person(people, 'stranger');
      const groups = [
        await group('names', { objectclass: 'groupOfNames', member: [byDn, banned] }, elsewhere),
        await group('uids', { objectclass: 'posixGroup', gidnumber: '77', memberuid: 'byuid' }, elsewhere),
        await group('gids', { objectclass: 'posixGroup', gidnumber: '5150' }, elsewhere),
        `cn=missing,${elsewhere}`,
      ];
      const excluded = await group(
        'banned',
        { objectclass: 'groupOfUniqueNames', uniquemember: banned },
        elsewhere,
      );
      const domains = { Gate: { base: people, allowed_groups: groups, excluded_groups: [excluded] } };
      const gate = await stage.enter({ config: { domains } });
      for (const username of ['bydn', 'byuid', 'bygid']) {
        expect(await gate.Get_User_DN({ username, domain: 'Gate' })).toBe(`uid=${username},${people}`);
      }
      for (const username of ['banned', 'stranger']) {
        expect(await refusalOf(gate.Get_User_DN({ username, domain: 'Gate' }))).toEqual({
          reason: 'not_found',
          detail: `User not found Gate\\${username}`,
        });
      }
    });
  });

  describe('Get_User_Groups', () => {
    it('finds groups by member, uniqueMember, memberUid, gidNumber and memberOf, each once', async () => {
      const posix = { objectclass: ['inetOrgPerson', 'posixAccount'], uidnumber: '2', homedirectory: '/' };
      const above = await stage.container(container);
      const outside = await stage.container();
      const dn = await stage.person(above, 'joiner', { ...posix, gidnumber: '6060' });
      const groups = [
        await group('a', { objectclass: 'groupOfNames', member: dn.toUpperCase() }, above),
        await group('b', { objectclass: 'groupOfUniqueNames', uniquemember: dn }, above),
        await group('c', { objectclass: 'posixGroup', gidnumber: '1', memberuid: 'joiner' }, above),
        await group('d', { objectclass: 'posixGroup', gidnumber: '6060' }, above),
      ];
      await group('not', { objectclass: 'posixGroup', gidnumber: '60', memberuid: 'joine' }, above);
      const named = await group('outside', { objectclass: 'groupOfNames', member: dn }, outside);
      const domains = { Inner: { base: above } };
      const inner = await stage.enter({ config: { domains } });
      const found = await inner.Get_User_Groups({ dn, domain: 'Inner' });
      expect([...found].sort()).toEqual([...groups, named].sort());
    });

    it('names a missing user or base', async () => {
      const dn = `uid=missing,${container}`;
      expect(await refusalOf(manager.Get_User_Groups({ dn, domain: 'Default' }))).toEqual({
        reason: 'not_found',
        detail: `LDAP object '${dn}' does not exist`,
      });
      const there = await stage.person(container, 'grouped');
      expect((await refusalOf(manager.Get_User_Groups({ dn: there, domain: 'x' }))).detail).toBe(
        "Domain 'x' not existing",
      );
      expect(await manager.Get_User_Groups({ dn: there, domain: 'Default' })).toEqual([]);
      const base = `ou=gone,${container}`;
      const gone = await stage.enter({ config: { domains: { Gone: { base } } } });
      expect((await refusalOf(gone.Get_User_Groups({ dn: there, domain: 'Gone' }))).detail).toBe(
        `LDAP container '${base}' does not exist`,
      );
    });
  });

  it('returns the domains whose base holds the user, also nested ones (Get_User_Domains)', async () => {
    const inner = await stage.container(container);
    const dn = await stage.person(inner, 'citizen');
    const domains = {
      Whole: { base: stage.base.toUpperCase() },
      Inner: { base: inner },
      Other: { base: await stage.container() },
    };
    const many = await stage.enter({ config: { domains } });
    expect(await many.Get_User_Domains({ dn })).toEqual(['Whole', 'Inner']);
    const missing = `uid=missing,${inner}`;
    expect((await refusalOf(many.Get_User_Domains({ dn: missing }))).detail).toBe(
      `LDAP object '${missing}' does not exist`,
    );
  });

  it('returns all login names, those of the domain, too, each once (Get_User_IDs)', async () => {
    const dn = await stage.person(container, 'named', { mail: ['a@x.org', 'b@x.org'] });
    const domains = {
      Default: { base: stage.base },
      Mail: { base: container, login_attributes: ['mail', 'uid'] },
    };
    const other = await stage.enter({ config: { domains } });
    expect(await manager.Get_User_IDs({ dn })).toEqual(['named']);
    expect(await other.Get_User_IDs({ dn })).toEqual(['named', 'a@x.org', 'b@x.org']);
  });

  it('counts users, activated ones, and answers false for an unknown domain', async () => {
    const inner = await stage.container(container);
    for (const uid of ['count1', 'count2']) await stage.person(inner, uid);
    await stage.person(inner, 'count3', { objectclass: 'inetOrgPerson' });
    await group('counted', { objectclass: ['groupOfNames', 'webadmGroup'], member: inner }, inner);
    const domains = {
      Outer: { base: container },
      Inner: { base: inner },
      Gone: { base: `ou=gone,${inner}` },
    };
    const many = await stage.enter({ config: { domains } });
    expect(await many.Count_Domain_Users({ domain: 'INNER' })).toBe(3);
    expect(await forgiving(many).Count_Domain_Users({ domain: 'Inner', active: 'True' })).toBe(2);
    expect(await many.Count_Domain_Users({ domain: 'Elsewhere' })).toBe(false);
    expect((await refusalOf(many.Count_Domain_Users({ domain: 'Gone' }))).detail).toBe(
      `LDAP container 'ou=gone,${inner}' does not exist`,
    );
    const outer = await many.Count_Domain_Users({ domain: 'Outer', active: true });
    expect(await many.Count_Activated_Users()).toBe(outer);
  });
});

describe('splitLogin', () => {
  const base = 'dc=example,dc=org';
  const domains = new Domains(
    readServiceConfig({ domains: { Staff: { base, aliases: ['EXAMPLE', 'example.org'] }, Other: { base } } }),
  );
  it.each([
    ['alice', undefined, 'alice'],
    ['Staff\\alice', 'Staff', 'alice'],
    ['STAFF\\a\\b', 'Staff', 'a\\b'],
    ['example\\alice', 'Staff', 'alice'],
    ['example.org\\alice@other', 'Staff', 'alice@other'],
    ['Staff\\', 'Staff', ''],
    ['a\\b', undefined, 'a\\b'],
    ['\\b', undefined, '\\b'],
    ['__proto__\\b', undefined, '__proto__\\b'],
    ['alice@other', 'Other', 'alice'],
    ['alice@Example.org', 'Staff', 'alice'],
    ['a@b@EXAMPLE', 'Staff', 'a@b'],
    ['@Staff', undefined, '@Staff'],
    ['alice@', undefined, 'alice@'],
    ['alice@sub.example.org', undefined, 'alice@sub.example.org'],
    ['alice@constructor', undefined, 'alice@constructor'],
  ])('splits %j into the domain %s and the name %j', (username, domain, name) => {
    const split = splitLogin(username, domains);
    expect([split.domain?.name, split.name]).toEqual([domain, name]);
    const isAddress = domain !== undefined && !username.includes('\\');
    expect(split.whole).toBe(isAddress ? username : undefined);
  });
});

describe('a lookup of a name with its domain', () => {
  const base = 'dc=example,dc=org';
  const login_attributes = ['sAMAccountName', 'userPrincipalName', 'mail'];
  const config = readServiceConfig({ domains: { Example: { base, login_attributes } } });
  const domains = new Domains(config);
  /** Finds entries by values; two that match are too many for a limit of one. */
  const directoryOf = (entries: Readonly<Record<string, Readonly<Record<string, string>>>>) => ({
    search: async ({ filter }: { filter: Filter }) => {
      const byName = filter.kind === 'and' ? filter.filters.at(-1) : filter;
      const names = byName?.kind === 'or' ? byName.filters : [];
      const found = Object.entries(entries).filter(([, row]) =>
        names.some((one) => one.kind === 'equality' && row[one.attribute] === one.value),
      );
      if (found.length > 1) throw new ServiceError('too_large');
      const attributes = new Map([['objectclass', ['user']]]);
      return found.map(([cn]) => ({ dn: `cn=${cn},${base}`, attributes }));
    },
  });
  it.each([
    [
      'a userPrincipalName goes before an account',
      { a: { sAMAccountName: 'jane' }, b: { userPrincipalName: 'jane@Example' } },
      'b',
    ],
    ['an address does not', { a: { sAMAccountName: 'jane' }, b: { mail: 'jane@Example' } }, 'several'],
    ['the account alone', { a: { sAMAccountName: 'jane' } }, 'a'],
    ['an address alone', { b: { mail: 'jane@Example' } }, 'b'],
    ['nobody', {}, 'none'],
  ])('%s', async (_, entries, expected) => {
    const { name: username, whole, domain = domains.preset } = splitLogin('jane@Example', domains);
    const login = { username, whole, domain, schema: config.schema, memberships: {} as Memberships };
    const found = await lookUp(directoryOf(entries) as unknown as Directory, login, []);
    expect(typeof found === 'string' ? found : found.dn).toBe(
      expected.length > 1 ? expected : `cn=${expected},${base}`,
    );
  });
});

it.each([
  ['jane', ['jane', 'jane@Staff', 'jane@example.org']],
  ['jane@EXAMPLE.org', ['jane@EXAMPLE.org', 'jane', 'jane@Staff', 'jane@example.org']],
  ['jane@other.org', ['jane@other.org', 'jane@other.org@Staff', 'jane@other.org@example.org']],
  ['@staff', ['@staff']],
])('spellingsOf %j are %j', (name, spellings) => {
  const config = { domains: { Staff: { base: 'dc=example', aliases: ['example.org'] } } };
  expect(spellingsOf(name, new Domains(readServiceConfig(config)).preset)).toEqual(spellings);
});
