/** Looking around: who is found by what is typed, the tree a page at a time, what entries are made of, and what is written of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLdif } from '../../../../embedded/src/ldif/ldif.ts';
import type { ManagerCalls } from '../../doors/manager/methods.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';

describe.each(engines)('browsing: %s', (engine) => {
  let stage: Stage;
  let admin: ManagerCalls;
  /** May read some attributes of the entries in `desk`. */
  let helper: ManagerCalls;
  let top: string;
  let desk: string;
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    stage = await openStage(engine);
    admin = stage.manager;
    top = await stage.container();
    desk = await stage.container(top);
    const password = 'correct horse battery';
    const username = await stage.person(top, 'yhelper', { userpassword: password });
    const row = { members: [username], methods: ['*'], subtrees: [desk], write: [], create: [] };
    const node = await stage.node({ config: { roles: { desk: { ...row, read: ['uid', 'cn', 'mail'] } } } });
    const login = await node.service.manager.login({ username, password });
    helper = login.manager;
    closers.push(login.close, node.close);
    await person('zoe', { cn: 'Zoe Zander', sn: 'Zander', mail: 'zz@example.org', mobile: '+491511' });
    await person('yalicia', { cn: 'Yalicia Ahrens', sn: 'Ahrens', mail: 'a@example.org' });
    await person('yal', { cn: 'Zacharias Last', sn: 'Last' });
  });
  afterAll(async () => {
    for (const close of closers) await close();
    await stage.close();
  });

  const person = (uid: string, attrs: Record<string, string | string[]>) => stage.person(desk, uid, attrs);
  const uidOf = (dn: string) => dn.split(',')[0]?.replace('uid=', '');

  describe('Find_Users', () => {
    const found = async (text: string, { as = admin, max }: { as?: ManagerCalls; max?: number } = {}) => {
      const all = await as.Find_Users({ text, ...(max && { max }) });
      return all.map(({ dn }) => uidOf(dn));
    };

    it('finds users by prefixes of names, mail addresses and mobile numbers, in any case', async () => {
      for (const text of ['zoe', 'ZOE Z', 'Zand', 'zz@', '+4915', ' zoe '])
        expect(await found(text)).toEqual(['zoe']);
      for (const text of ['nobody', 'z*e', '*', 'zoe)(uid=*', '\\2a', 'zoe\\', 'zoe\0', '(|(uid=*))', 'oe'])
        expect([text, await found(text)]).toEqual([text, []]);
    });

    it('finds no user by an unknown name, also a long or odd one', async () => {
      for (const text of ['z'.repeat(60_000), '\u202e\u0000zoe', '🦓'.repeat(2000), 'Ⓩoe', 'dn:=zoe'])
        expect(await found(text)).toEqual([]);
    });

    it('returns an exact login name first, then by name', async () => {
      expect(await found('yal')).toEqual(['yal', 'yalicia']);
      expect(await found('yal', { max: 1 })).toEqual(['yal']);
    });

    it('returns names, domains and state', async () => {
      const about = { name: 'Zoe Zander', logins: ['zoe'], mail: ['zz@example.org'], domains: ['Default'] };
      expect(await admin.Find_Users({ text: 'zoe' })).toEqual([
        { dn: `uid=zoe,${desk}`, ...about, active: true },
      ]);
    });

    it('finds all users by an empty text, up to the maximum', async () => {
      expect((await found('', { max: 200 })).length).toBeGreaterThan(3);
      expect(await found('', { max: 3 })).toHaveLength(3);
    });

    it('finds and shows readable attributes of a role only', async () => {
      const as = helper;
      expect(await found('yal', { as })).toEqual(['yal', 'yalicia']);
      expect(await found('zoe', { as })).toEqual(['zoe']);
      for (const text of ['Zand', '+4915', 'yhelper']) expect(await found(text, { as })).toEqual([]);
    });
  });

  describe('List_LDAP_Children', () => {
    type Search = Parameters<ManagerCalls['List_LDAP_Children']>[0];
    const names = async (params: Search, as = admin) =>
      (await as.List_LDAP_Children(params)).entries.map(({ name }) => name);

    it('returns children and their kinds', async () => {
      const group = { objectclass: 'groupOfNames', member: `uid=zoe,${desk}` };
      await admin.Create_LDAP_Object({ dn: `cn=staff,${top}`, attrs: group });
      const { entries, next } = await admin.List_LDAP_Children({ container: top });
      expect(next).toBeNull();
      expect(new Map(entries.map(({ name, kind }) => [name, kind]))).toEqual(
        new Map([
          [uidOf(desk)?.replace('ou=', ''), 'container'],
          ['staff', 'group'],
          ['yhelper', 'user'],
        ]),
      );
      expect(entries.find(({ name }) => name === 'staff')).toMatchObject({
        ...{ dn: `cn=staff,${top}`, classes: ['groupOfNames'] },
      });
    });

    it('continues after the page before, and refuses a foreign cursor', async () => {
      const all: string[] = [];
      let start: string | null | undefined;
      const starts: string[] = [];
      for (let pages = 0; start !== null && pages < 200; pages += 1) {
        const page = await admin.List_LDAP_Children({ container: desk, max: 1, ...(start && { start }) });
        all.push(...page.entries.map(({ name }) => name));
        start = page.next;
        if (start) starts.push(start);
      }
      expect(all.sort()).toEqual(['yal', 'yalicia', 'zoe']);
      // Of another container it shows the content of the one that is asked for.
      for (const from of starts)
        expect(['staff', 'yhelper', uidOf(desk)?.slice(3)]).toEqual(
          expect.arrayContaining(await names({ container: top, start: from })),
        );
      for (const forged of [
        '',
        'x',
        '../..',
        '*',
        'zzzz.0',
        '0.zzzz.1',
        'Zm9yZ2Vk=',
        'é',
        'z'.repeat(5000),
      ]) {
        const { reason } = await refusalOf(names({ container: desk, start: forged }));
        expect([forged, reason]).toEqual([forged, 'invalid_params']);
      }
      const [from = ''] = starts;
      const { reason } = await refusalOf(names({ container: top, start: from }, helper));
      expect(reason).toBe('invalid_params');
    });

    it('takes a filter, and names a missing container', async () => {
      expect((await names({ container: desk, filter: '(uid=yal*)' })).sort()).toEqual(['yal', 'yalicia']);
      const none = `ou=none,${top}`;
      expect((await refusalOf(names({ container: none }))).detail).toBe(
        `LDAP container '${none}' does not exist`,
      );
      for (const filter of ['(uid=*', 'uid=zoe)(cn=*', `${'(!'.repeat(500)}(uid=*)${')'.repeat(500)}`])
        expect((await refusalOf(names({ container: desk, filter }))).reason).toBe('invalid_params');
    });

    it('lists deep entries, and entries with odd names', async () => {
      const deep = Array.from({ length: 12 }, (_, n) => `ou=level ${n}`).reduce(async (above, rdn) => {
        const dn = `${rdn},${await above}`;
        await admin.Create_LDAP_Object({ dn, attrs: { objectclass: 'organizationalUnit' } });
        return dn;
      }, stage.container(top));
      const odd = 'a\\, b\\+c \\"d\\" #é漢🦓';
      await admin.Create_LDAP_Object({
        ...{ dn: `ou=${odd},${await deep}`, attrs: { objectclass: 'organizationalUnit' } },
      });
      const { entries } = await admin.List_LDAP_Children({ container: await deep });
      expect(entries).toMatchObject([{ name: 'a, b+c "d" #é漢🦓', kind: 'container' }]);
      expect(await names({ container: entries[0]?.dn ?? '' })).toEqual([]);
      const beyond = `${'ou=x,'.repeat(3000)}${top}`;
      expect((await refusalOf(names({ container: beyond }))).reason).toBe('invalid_dn');
    });

    it('shows a role its subtree and the path to it, and no unreadable entry by a filter', async () => {
      expect(await names({ container: desk }, helper)).toHaveLength(3);
      expect(await names({ container: top }, helper)).toEqual([uidOf(desk)?.slice(3)]);
      const other = await stage.container(top);
      expect((await refusalOf(names({ container: other }, helper))).detail).toContain('out of your reach');
      for (const filter of ['(mobile=*)', '(!(mobile=+49*))', '(|(uid=zoe)(mobile=+4915))'])
        expect((await refusalOf(names({ container: desk, filter }, helper))).detail).toContain('mobile');
    });
  });

  describe('Get_Directory_Schema', () => {
    it('returns required and optional attributes of a class, with those of its superiors', async () => {
      const { classes } = await admin.Get_Directory_Schema({ dn: desk });
      const inetOrgPerson = classes.find(({ name }) => name === 'inetOrgPerson');
      expect(inetOrgPerson).toMatchObject({ kind: 'structural', sup: ['organizationalPerson'] });
      expect(inetOrgPerson?.must).toEqual(expect.arrayContaining(['sn', 'cn', 'objectClass']));
      expect(inetOrgPerson?.may).toEqual(expect.arrayContaining(['mail', 'telephoneNumber', 'title']));
      expect(inetOrgPerson?.may).not.toContain('sn');
      expect(classes.find(({ name }) => name === 'webadmAccount')?.kind).toBe('auxiliary');
    });

    it('returns the syntaxes of attributes', async () => {
      const { attributes } = await admin.Get_Directory_Schema({ dn: desk });
      const of = (called: string) => attributes.find(({ name }) => name === called);
      const text = '1.3.6.1.4.1.1466.115.121.1.15';
      expect(of('sn')).toMatchObject({ aliases: ['surname'], syntax: text, single: false });
      expect(of('uidNumber')).toMatchObject({ single: true, binary: false, readonly: false });
      expect(of('userCertificate')?.binary).toBe(true);
      expect(of('entryUUID')).toMatchObject({ readonly: true });
    });

    it('is returned for entries in reach', async () => {
      expect((await helper.Get_Directory_Schema({ dn: desk })).classes.length).toBeGreaterThan(10);
      const refused = (dn: string, as: ManagerCalls) => refusalOf(as.Get_Directory_Schema({ dn }));
      expect((await refused(top, helper)).detail).toContain('out of your reach');
      expect((await refused(`ou=none,${top}`, admin)).detail).toContain('does not exist');
    });
  });

  describe('Export_LDAP_Objects', () => {
    const records = (text: string) => text.split('\n\n').filter((record) => /^dn:/.test(record));
    async function readBack(text: string): Promise<ReadonlyMap<string, ReadonlyMap<string, unknown>>> {
      const all = new Map<string, ReadonlyMap<string, unknown>>();
      for await (const { dn, attributes } of readLdif(text.replace('version: 1\n\n', '')))
        all.set(dn.key, attributes);
      return all;
    }

    it('writes LDIF that is read back unchanged, without passwords', async () => {
      const zoe = `uid=zoe,${desk}`;
      await admin.Set_User_Password({ dn: zoe, password: 'correct horse battery' });
      const odd = {
        description: [
          'Zoë\nline two',
          '< file:///etc/passwd',
          ': colon',
          ' spaces ',
          '#hash',
          'a\rb',
          '-',
          '漢🦓',
        ],
        title: ['x'.repeat(200), 'dn: uid=admin', 'version: 1\n\ndn: uid=forged,dc=example,dc=org'],
        jpegphoto: Buffer.from([0xff, 0xd8, 0, 10, 13, 0xff]).toString('base64'),
      };
      await admin.Set_User_Attrs({ dn: zoe, attrs: odd });
      const text = await admin.Export_LDAP_Objects({ basedn: desk });
      expect(text.startsWith(`version: 1\n\ndn: ${desk}\n`)).toBe(true);
      expect(text.split('\n').every((line) => line.length <= 76 && /^[ -~]*$/.test(line))).toBe(true);
      expect(text).not.toMatch(/userpassword|pwdhistory/i);
      expect(records(text)).toHaveLength(4);
      const back = await readBack(text);
      const own = back.get(Dn.parse(zoe).key);
      expect(new Set(own?.get('description') as string[])).toEqual(new Set(odd.description));
      expect(new Set(own?.get('title') as string[])).toEqual(new Set(odd.title));
      expect(own?.get('jpegphoto')).toMatchObject([Buffer.from(odd.jpegphoto, 'base64')]);
    });

    it('has each entry after its parent, for any names and ages', async () => {
      const from = await stage.container();
      const unit = { objectclass: 'organizationalUnit' };
      const below = `ou=b\\, first,${from}`;
      await admin.Create_LDAP_Object({ dn: below, attrs: unit });
      await stage.person(below, 'older');
      const above = `ou=a\\, later,${from}`;
      await admin.Create_LDAP_Object({ dn: above, attrs: unit });
      await admin.Move_LDAP_Object({ dn: below, container: above });
      const back = await readBack(await admin.Export_LDAP_Objects({ basedn: from }));
      const seen = new Set<string>();
      for (const key of back.keys()) {
        const parent = Dn.parse(key).parent?.key ?? '';
        expect([key, seen.size === 0 || seen.has(parent)]).toEqual([key, true]);
        seen.add(key);
      }
      expect(seen.size).toBe(4);
    });

    it('takes a scope and a filter', async () => {
      const written = async (more: { scope?: 'base'; filter?: string }) =>
        records(await admin.Export_LDAP_Objects({ basedn: desk, ...more })).length;
      expect([await written({ filter: '(uid=yal*)' }), await written({ scope: 'base' })]).toEqual([2, 1]);
    });

    it('has the readable part for a role, and nothing out of its reach', async () => {
      const text = await helper.Export_LDAP_Objects({ basedn: top });
      expect(text).toContain('mail: zz@example.org');
      expect(text).not.toMatch(/mobile|jpegphoto|description/i);
      expect(records(text).every((record) => record.split('\n')[0]?.endsWith(desk))).toBe(true);
      const other = await stage.container();
      const refused = (basedn: string, filter?: string) =>
        refusalOf(helper.Export_LDAP_Objects({ basedn, ...(filter && { filter }) }));
      expect((await refused(other)).detail).toContain('out of your reach');
      expect((await refused(desk, '(mobile=*)')).detail).toContain('mobile');
    });
  });
});
