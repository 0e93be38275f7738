/** Looking around: who is found by what is typed, the tree a page at a time, and what entries are made of. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLdif } from '../../adapters/embedded/ldif/ldif.ts';
import { type Fixture, openFixture, type Person } from '../../testing/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;

let fixture: Fixture;
let bob: Person;
beforeAll(async () => {
  const role = { methods: ['*'], subtrees: [desk], write: [], create: [] };
  fixture = await openFixture({
    config: {
      roles: {
        desk: { ...role, members: [`uid=bob,${people}`], read: ['uid', 'cn', 'mail'] },
      },
    },
  });
  bob = fixture.users.bob;
  await create(desk, { objectclass: ['organizationalUnit'] });
  await person('zoe', { cn: 'Zoe Zander', sn: 'Zander', mail: 'zz@example.org', mobile: '+491511' });
  await person('alicia', { cn: 'Alicia Ahrens', sn: 'Ahrens', mail: 'a@example.org' });
  await person('al', { cn: 'Zacharias Last', sn: 'Last' });
});
afterAll(() => fixture.close());

async function call(method: string, params: object, as?: Person): Promise<unknown> {
  const { result, error } = await fixture.call(method, params, as && { as });
  if (error) throw new Error(String(error.data));
  return result;
}

const create = (dn: string, attrs: Record<string, string | string[]>) =>
  call('Create_LDAP_Object', { dn, attrs });
const person = (uid: string, attrs: Record<string, string>) =>
  create(`uid=${uid},${desk}`, { objectclass: ['inetOrgPerson', 'webadmaccount'], ...attrs });

const found = async (text: string, as?: Person, max?: number) => {
  const all = await call('Find_Users', { text, ...(max && { max }) }, as);
  return (all as { dn: string }[]).map(({ dn }) => dn.split(',')[0]?.replace('uid=', ''));
};

describe('Find_Users', () => {
  it('finds by the beginning of names, mail addresses and mobile numbers, whatever the case', async () => {
    for (const text of ['zoe', 'ZOE Z', 'Zand', 'zz@', '+4915', ' zoe '])
      expect(await found(text)).toEqual(['zoe']);
    for (const text of ['oe', 'nobody', '*', 'z*e', 'zoe)(uid=*']) expect(await found(text)).toEqual([]);
  });

  it('puts who has exactly this login name first, and the others in the order of their names', async () => {
    expect(await found('al')).toEqual(['al', 'alice', 'alicia']);
    expect(await found('al', undefined, 2)).toEqual(['al', 'alice']);
  });

  it('tells who it is', async () => {
    expect(await call('Find_Users', { text: 'zoe' })).toEqual([
      {
        dn: `uid=zoe,${desk}`,
        ...{
          name: 'Zoe Zander',
          logins: ['zoe'],
          mail: ['zz@example.org'],
          domains: ['Default'],
          active: true,
        },
      },
    ]);
  });

  it('finds everybody by nothing, up to the maximum', async () => {
    expect((await found('', undefined, 200)).length).toBeGreaterThan(5);
    expect(await found('', undefined, 3)).toHaveLength(3);
  });

  it('finds and shows what a role may see, and nothing by what it may not read', async () => {
    expect(await found('al', bob)).toEqual(['al', 'alicia']);
    expect(await found('zoe', bob)).toEqual(['zoe']);
    expect(await found('Zand', bob)).toEqual([]);
    expect(await found('+4915', bob)).toEqual([]);
  });
});

interface Page {
  entries: { dn: string; kind: string; name: string; classes: string[] }[];
  next: string | null;
}
const children = (params: object, as?: Person) => call('List_LDAP_Children', params, as) as Promise<Page>;

describe('List_LDAP_Children', () => {
  it('says what stands there, and what it is', async () => {
    const { entries, next } = await children({ container: base });
    expect(next).toBeNull();
    expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
      ['groups', 'container'],
      ['people', 'container'],
    ]);
    expect(entries[0]).toMatchObject({ dn: `ou=groups,${base}`, classes: ['organizationalUnit'] });
    const groups = await children({ container: `ou=groups,${base}` });
    expect(new Set(groups.entries.map(({ kind }) => kind))).toEqual(new Set(['group']));
  });

  it('goes on where the page before ended', async () => {
    const names: string[] = [];
    let start: string | null | undefined;
    for (let pages = 0; start !== null && pages < 10; pages += 1) {
      const page: Page = await children({ container: desk, max: 2, ...(start && { start }) });
      names.push(...page.entries.map(({ name }) => name));
      start = page.next;
    }
    expect(names.sort()).toEqual(['al', 'alicia', 'zoe']);
  });

  it('takes a filter, and tells which container is not there', async () => {
    const { entries } = await children({ container: desk, filter: '(uid=al*)' });
    expect(entries.map(({ name }) => name)).toEqual(['al', 'alicia']);
    await expect(children({ container: `ou=none,${base}` })).rejects.toThrow(
      `LDAP container 'ou=none,${base}' does not exist`,
    );
  });

  it('shows a role its subtree and the way down to it, and by no filter what it may not read', async () => {
    expect((await children({ container: desk }, bob)).entries).toHaveLength(3);
    expect((await children({ container: people }, bob)).entries.map(({ name }) => name)).toEqual(['desk']);
    await expect(children({ container: `ou=groups,${base}` }, bob)).rejects.toThrow('out of your reach');
    await expect(children({ container: desk, filter: '(mobile=*)' }, bob)).rejects.toThrow(
      'may not read mobile',
    );
  });
});

describe('Get_Directory_Schema', () => {
  interface Schema {
    classes: { name: string; kind: string; sup: string[]; must: string[]; may: string[] }[];
    attributes: {
      name: string;
      aliases: string[];
      single: boolean;
      binary: boolean;
      readonly: boolean;
      syntax: string;
    }[];
  }
  const schema = (dn: string, as?: Person) => call('Get_Directory_Schema', { dn }, as) as Promise<Schema>;

  it('says what an entry of a class must and may have, with what the classes above it ask', async () => {
    const { classes } = await schema(people);
    const inetOrgPerson = classes.find(({ name }) => name === 'inetOrgPerson');
    expect(inetOrgPerson).toMatchObject({ kind: 'structural', sup: ['organizationalPerson'] });
    expect(inetOrgPerson?.must).toEqual(expect.arrayContaining(['sn', 'cn', 'objectClass']));
    expect(inetOrgPerson?.may).toEqual(expect.arrayContaining(['mail', 'telephoneNumber', 'title']));
    expect(inetOrgPerson?.may).not.toContain('sn');
    expect(classes.find(({ name }) => name === 'webadmAccount')?.kind).toBe('auxiliary');
  });

  it('says of attributes what values they take', async () => {
    const { attributes } = await schema(people);
    const of = (name: string) => attributes.find((one) => one.name === name);
    expect(of('sn')).toMatchObject({
      aliases: ['surname'],
      syntax: '1.3.6.1.4.1.1466.115.121.1.15',
      single: false,
    });
    expect(of('uidNumber')).toMatchObject({ single: true, binary: false, readonly: false });
    expect(of('userCertificate')?.binary).toBe(true);
    expect(of('entryUUID')).toMatchObject({ readonly: true });
  });

  it('is told of entries in reach', async () => {
    expect((await schema(desk, bob)).classes.length).toBeGreaterThan(10);
    await expect(schema(people, bob)).rejects.toThrow('out of your reach');
    await expect(schema(`ou=none,${base}`)).rejects.toThrow('does not exist');
  });
});

describe('Export_LDAP_Objects', () => {
  const written = (params: object, as?: Person) => call('Export_LDAP_Objects', params, as) as Promise<string>;
  const records = (text: string) => text.split('\n\n').filter((record) => record.startsWith('dn:'));

  it('writes what is there as LDIF, which is read back as it was, without passwords', async () => {
    await call('Set_User_Password', { dn: `uid=zoe,${desk}`, password: 'correct horse battery' });
    await call('Set_User_Attrs', {
      dn: `uid=zoe,${desk}`,
      attrs: { description: 'Zoë\nline two', title: 'x'.repeat(200) },
    });
    const text = await written({ basedn: desk });
    expect(text).toMatch(/^version: 1\n\ndn: ou=desk,/);
    expect(text.split('\n').every((line) => line.length <= 76)).toBe(true);
    expect(text).not.toMatch(/userpassword/i);
    const zoe = new Map<string, unknown>();
    for await (const record of readLdif(text.replace('version: 1\n\n', '')))
      if (record.dn.format() === `uid=zoe,${desk}`)
        for (const [name, values] of record.attributes) zoe.set(name, values);
    expect(zoe.get('description')).toEqual(['Zoë\nline two']);
    expect(zoe.get('title')).toEqual(['x'.repeat(200)]);
  });

  it('takes a scope and a filter', async () => {
    expect(records(await written({ basedn: desk, filter: '(uid=al*)' }))).toHaveLength(2);
    expect(records(await written({ basedn: people, scope: 'base' }))).toHaveLength(1);
  });

  it('has for a role what it may read, and nothing from out of its reach', async () => {
    const text = await written({ basedn: base }, bob);
    expect(text).toContain('mail: zz@example.org');
    expect(text).not.toContain('mobile');
    expect(records(text).every((record) => record.split('\n')[0]?.endsWith(desk))).toBe(true);
    await expect(written({ basedn: `ou=groups,${base}` }, bob)).rejects.toThrow('out of your reach');
  });
});
