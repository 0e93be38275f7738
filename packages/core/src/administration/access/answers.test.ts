/**
 * Methods that look around answer no more than `Get_User_Attrs` would of each entry by itself: exports, lists, finds and
 * the event log. Whether they may be called at all, the matrix says (`matrix.test.ts`).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLdif } from '../../../../embedded/src/ldif/ldif.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { matchAll } from '../../foundation/text/filter.ts';
import { attributeType, bytesOf } from '../../foundation/text/value.ts';
import { buildWorld, desk, people } from '../../testing/bed/access/world.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const row = { methods: ['*'], subtrees: [desk], read: ['*'], write: [], create: [] };

const situations = {
  'reading all of a subtree': { roles: { one: row } },
  'reading one attribute': { roles: { one: { ...row, read: ['mail'] } } },
  'reading nothing': { roles: { one: { ...row, read: [] } } },
  'reading passwords and data': { roles: { one: { ...row, read: ['*', 'userPassword', 'webadmData'] } } },
  'writing passwords everywhere': {
    roles: { one: { ...row, subtrees: [base], read: [], write: ['userPassword'] } },
  },
  'two roles, an export by one of them': {
    roles: {
      finds: { ...row, subtrees: [people], read: ['uid', 'mail'], methods: ['Find_*', 'List_*', 'Get_*'] },
      exports: { ...row, read: ['cn'], methods: ['Export_*', 'Search_*'] },
    },
  },
  'an option set that hides an attribute': {
    roles: { one: { ...row, subtrees: [base] } },
    option_sets: { calm: { subtree: desk, restricts: ['entries' as const], read: ['cn', 'sn'] } },
  },
};

let fixture: Fixture;
let all: readonly { readonly dn: string; readonly attributes: ReadonlyMap<string, readonly string[]> }[];
beforeAll(async () => {
  fixture = await openFixture({ config: { settings: { 'Otp.OTPPrefix': 'Yes' } } });
  const login = await fixture.service.manager.login(fixture.admin);
  await buildWorld(login.manager);
  const secrets = { description: 'known to few', displayName: 'Inner Name' };
  await login.manager.Set_User_Attrs({ dn: `uid=in,${desk}`, attrs: secrets });
  await login.close();
  const found = await fixture.ports.directory.service.search({
    ...{ base: Dn.parse(base), scope: 'sub', filter: matchAll },
    attributes: ['*', '+', 'userPassword'],
  });
  all = found.map(({ dn, attributes }) => ({
    dn,
    attributes: new Map([...attributes].map(([name, values]) => [attributeType(name), values.map(textOf)])),
  }));
});
afterAll(() => fixture.close());

const textOf = (value: string | Uint8Array): string => Buffer.from(bytesOf(value)).toString('utf8');

describe.each(Object.entries(situations))('%s', (_, rules) => {
  let node: Fixture;
  beforeAll(async () => {
    const roles = Object.entries(rules.roles).map(([name, one]) => [
      ...[name, { ...one, members: [fixture.users.bob.dn] }],
    ]);
    node = await fixture.another({ config: { ...rules, roles: Object.fromEntries(roles) } });
  });
  afterAll(() => node.close());

  const call = async (method: string, params: object) => {
    const { result, error } = await node.call(method, params, { as: node.users.bob });
    if (error && error.reason !== 'permission_denied') throw new Error(`${method}: ${String(error.data)}`);
    return error ? undefined : Object(result);
  };
  const search = (params: object) => call('Search_LDAP_Objects', params);

  /** Whether one attribute of an entry is answered to who asks by its name, in the methods of the same role. */
  const known = new Map<string, Promise<boolean>>();
  function reads(dn: string, name: string): Promise<boolean> {
    const key = `${name} of ${dn}`;
    const answer = known.get(key) ?? isRead(dn, name);
    known.set(key, answer);
    return answer;
  }
  const isRead = async (dn: string, name: string) =>
    (await search({ basedn: dn, scope: 'base', attrs: [name] })) !== undefined ||
    (await call('Get_User_Attrs', { dn, attrs: [name] })) !== undefined;
  const sees = (dn: string) => reads(dn, '1.1');

  /** Answer about an entry that may not be read by its name. */
  async function excess(
    dn: string,
    tells: ReadonlyMap<string, readonly string[]>,
  ): Promise<readonly string[]> {
    const own: ReadonlyMap<string, readonly string[]> =
      all.find((one) => one.dn === dn)?.attributes ?? new Map();
    const wrong: string[] = [];
    for (const [name, values] of tells) {
      if (!(await reads(dn, name))) wrong.push(`${name} of ${dn}`);
      // Of data the parts are shown that are no secrets.
      const partsOf = (all: readonly string[] = []) =>
        name === 'webadmdata' ? all.flatMap((value) => value.split(',')) : all;
      const known = partsOf(own.get(name));
      if (!partsOf(values).every((value) => known.includes(value))) wrong.push(`another ${name} of ${dn}`);
      if (values.some((value) => value.includes('{wcrypt}'))) wrong.push(`a secret of ${dn}`);
    }
    return wrong;
  }

  it('Export_LDAP_Objects writes what may be read by name, and of nobody else', async () => {
    const wrong: string[] = [];
    for (const basedn of [base, people, desk, `uid=in,${desk}`, `uid=boss,${desk}`, `uid=out,${people}`]) {
      const text = await call('Export_LDAP_Objects', { basedn });
      if (!text) continue;
      for await (const { dn, attributes } of readLdif(String(text).replace('version: 1\n\n', ''))) {
        if (attributes.has('userpassword')) wrong.push(`the password of ${dn}`);
        const tells = [...attributes].map(([name, some]) => [attributeType(name), some.map(textOf)] as const);
        wrong.push(...(await excess(dn.format(), new Map(tells))));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('Find_Users and List_LDAP_Children name whom the caller may see, by what it may read', async () => {
    const wrong: string[] = [];
    for (const text of ['', 'i', 'in', 'Inner', 'in@example', '1', 'known']) {
      const found = (await call('Find_Users', { text, max: 200 })) ?? [];
      for (const { dn, name, logins, mail } of found) {
        if (!(await sees(dn))) wrong.push(`found ${dn}`);
        wrong.push(...(await excess(dn, new Map(mail.length > 0 ? [['mail', mail]] : []))));
        if (name === 'Inner Name' && !(await reads(dn, 'displayName'))) wrong.push(`the name of ${dn}`);
        if (logins.length > 0 && !(await reads(dn, 'uid'))) wrong.push(`the logins of ${dn}`);
      }
    }
    for (const { dn: container } of all) {
      const page = await call('List_LDAP_Children', { container });
      for (const { dn } of page?.entries ?? []) {
        const isOnTheWay = Object.values(rules.roles).some(({ subtrees }) =>
          subtrees.some((one: string) => Dn.parse(one).isWithin(Dn.parse(dn))),
        );
        if (!isOnTheWay && !(await sees(dn))) wrong.push(`listed ${dn}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('Search_Event_Logs and Export_Event_Logs tell of whom the caller may see, and no value', async () => {
    for (const method of ['Search_Event_Logs', 'Export_Event_Logs'])
      for (const { dn } of all) {
        const answer = await call(method, { dn });
        if (answer === undefined) continue;
        expect([dn, await sees(dn)]).toEqual([dn, true]);
        const text = JSON.stringify(answer);
        expect(text).not.toMatch(/known to few|Inner Name/);
        for (const one of all.filter(({ dn: other }) => other !== dn && !other.endsWith(`,${dn}`)))
          expect(text.includes(`"dn":"${one.dn}"`)).toBe(false);
      }
  });
});
