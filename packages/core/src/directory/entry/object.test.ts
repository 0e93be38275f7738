/** Create, check, activate, move, rename, remove and search objects, on both engines. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ssha } from '../../testing/bed/engines/slapd-configuration.ts';
import { forgiving } from '../../testing/bed/forgiving.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';

describe.each(engines)('objects: %s', (engine) => {
  let stage: Stage;
  let manager: Stage['manager'];
  beforeAll(async () => {
    stage = await openStage(engine);
    manager = stage.manager;
  });
  afterAll(() => stage.close());

  describe('Create_LDAP_Object', () => {
    it('accepts texts, numbers, arrays and lists keyed by index, with or without the RDN attribute', async () => {
      const dn = `uid=lenient,${await stage.container()}`;
      const attrs = {
        objectclass: { 1: 'posixAccount', 0: 'inetOrgPerson' },
        cn: 'Lenient',
        SN: ['Person'],
        uidNumber: 4711,
        gidnumber: ['4712'],
        homedirectory: '/home/lenient',
      };
      expect(await forgiving(manager).Create_LDAP_Object({ dn, attrs })).toBe(1);
      expect(await manager.Get_User_Attrs({ dn, attrs: ['uid', 'uidnumber', 'gidNumber', 'sn'] })).toEqual({
        uid: ['lenient'],
        uidnumber: ['4711'],
        gidnumber: ['4712'],
        sn: ['Person'],
      });
    });

    it('answers false without attributes', async () => {
      const dn = `uid=nothing,${await stage.container()}`;
      expect(await manager.Create_LDAP_Object({ dn, attrs: {} })).toBe(false);
      expect(await manager.Create_LDAP_Object({ dn, attrs: [] as never })).toBe(false);
      expect(await manager.Create_LDAP_Object({ dn, attrs: { cn: [] } })).toBe(false);
      expect(await manager.Check_LDAP_Object({ dn })).toBe(false);
    });

    it('hashes a clear password, stores a hash unchanged, and both log in', async () => {
      const container = await stage.container();
      const hash = ssha('hashed');
      const clear = await stage.person(container, 'clear', { userpassword: 'in Clear-42' });
      const hashed = await stage.person(container, 'hashed', { userpassword: [hash] });
      expect(await manager.Check_User_Password({ dn: clear, password: 'in Clear-42' })).toBe(true);
      expect(await manager.Check_User_Password({ dn: hashed, password: 'hashed' })).toBe(true);
      const stored = async (dn: string) => manager.Get_User_Attrs({ dn, attrs: ['userpassword'] });
      expect((await stored(clear)).userpassword?.[0]).toMatch(/^\{[A-Z0-9]+\}/i);
      expect(await stored(hashed)).toEqual({ userpassword: [hash] });
      expect(await manager.Get_User_Attrs({ dn: clear })).not.toHaveProperty('userpassword');
    });

    it('hashes a clear password under its OID, also when it is replaced', async () => {
      const dn = await stage.person(await stage.container(), 'numeric', { '2.5.4.35': 'in Clear-42' });
      expect(await manager.Check_User_Password({ dn, password: 'in Clear-42' })).toBe(true);
      await manager.Set_User_Attrs({ dn, attrs: { '2.5.4.35': 'in Clear-43' } });
      expect(await manager.Check_User_Password({ dn, password: 'in Clear-43' })).toBe(true);
      const { userpassword } = await manager.Get_User_Attrs({ dn, attrs: ['userpassword'] });
      expect(userpassword?.[0]).toMatch(/^\{[A-Z0-9]+\}/i);
    });

    it('refuses with the messages of the interface', async () => {
      const container = await stage.container();
      const dn = await stage.person(container, 'taken');
      const attrs = { objectclass: 'inetOrgPerson', cn: 'x', sn: 'x' };
      expect(await refusalOf(manager.Create_LDAP_Object({ dn, attrs }))).toEqual({
        reason: 'already_exists',
        detail: `LDAP object '${dn}' already exist`,
      });
      const orphan = `uid=x, ou=Nowhere,${container}`;
      expect(await refusalOf(manager.Create_LDAP_Object({ dn: orphan, attrs }))).toEqual({
        reason: 'not_found',
        detail: `Could not create LDAP object '${orphan}' (No such object)`,
      });
      const lame = `uid=lame,${container}`;
      const refusal = await refusalOf(manager.Create_LDAP_Object({ dn: lame, attrs: { ...attrs, sn: [] } }));
      expect(refusal.reason).toBe('schema_refused');
      expect(refusal.detail).toMatch(new RegExp(`^Could not create LDAP object '${lame}' \\(.*sn.*\\)$`));
    });
  });

  describe('activation', () => {
    it('adds the class of users and removes it, once', async () => {
      const dn = await stage.person(await stage.container(), 'active', { objectclass: 'inetOrgPerson' });
      expect(await manager.Check_User_Active({ dn })).toBe(false);
      expect(await manager.Activate_LDAP_Object({ dn })).toBe(1);
      expect(await manager.Activate_LDAP_Object({ dn })).toBe(false);
      expect(await manager.Check_User_Active({ dn })).toBe(true);
      expect(await manager.Deactivate_LDAP_Object({ dn })).toBe(1);
      expect(await manager.Deactivate_LDAP_Object({ dn })).toBe(false);
      expect(await manager.Check_User_Active({ dn })).toBe(false);
    });

    it('is done by one of many concurrent calls', async () => {
      const dn = await stage.person(await stage.container(), 'popular', { objectclass: 'inetOrgPerson' });
      const sixTimes = (ask: (of: { dn: string }) => Promise<unknown>) =>
        Promise.all(Array.from({ length: 6 }, () => ask({ dn })));
      for (const ask of [manager.Activate_LDAP_Object, manager.Deactivate_LDAP_Object])
        expect((await sixTimes(ask)).sort()).toEqual([1, false, false, false, false, false]);
    });

    it('adds the class of groups, which do not count against the licence', async () => {
      const container = await stage.container();
      const member = await stage.person(container, 'member');
      const dn = `cn=staff,${container}`;
      await manager.Create_LDAP_Object({ dn, attrs: { objectclass: 'groupOfNames', member } });
      expect(await manager.Activate_LDAP_Object({ dn })).toBe(1);
      const { objectclass = [] } = await manager.Get_User_Attrs({ dn, attrs: ['objectClass'] });
      expect(objectclass.map((name) => name.toLowerCase())).toContain('webadmgroup');
      expect(await manager.Check_User_Active({ dn })).toBe(false);
      expect(await manager.Deactivate_LDAP_Object({ dn })).toBe(1);
    });

    it('is refused for other entries', async () => {
      const dn = await stage.container();
      expect(await refusalOf(manager.Activate_LDAP_Object({ dn }))).toEqual({
        reason: 'schema_refused',
        detail: `Object '${dn}' is not a user or group`,
      });
      expect(await manager.Check_User_Active({ dn })).toBe(false);
    });
  });

  describe('moving, renaming, removing', () => {
    it('moves with the RDN, changes its value, and removes the entry', async () => {
      const [from, to] = [await stage.container(), await stage.container()];
      const dn = await stage.person(from, 'walker');
      expect(await manager.Move_LDAP_Object({ dn, container: to })).toBe(1);
      expect(await manager.Check_LDAP_Object({ dn })).toBe(false);
      expect(await manager.Rename_LDAP_Object({ dn: `uid=walker,${to}`, name: 'A+B, "C"' })).toBe(1);
      const renamed = `uid=A\\+B\\, \\"C\\",${to}`;
      expect(await manager.Get_User_Attrs({ dn: renamed, attrs: ['uid'] })).toEqual({ uid: ['A+B, "C"'] });
      expect(await manager.Remove_LDAP_Object({ dn: renamed })).toBe(1);
      expect(await manager.Check_LDAP_Object({ dn: renamed })).toBe(false);
    });

    it('keeps the other values of a multi-valued RDN', async () => {
      const container = await stage.container();
      const dn = `cn=Twin+uid=one,${container}`;
      await manager.Create_LDAP_Object({ dn, attrs: { objectclass: 'inetOrgPerson', sn: 'x' } });
      expect(await manager.Rename_LDAP_Object({ dn, name: 'Other' })).toBe(1);
      expect(await manager.Check_LDAP_Object({ dn: `uid=one+cn=other,${container}` })).toBe(true);
    });

    it('names a missing entry as the caller wrote it', async () => {
      const container = await stage.container();
      const dn = await stage.person(container, 'stays');
      const missing = `UID = missing , ${container}`;
      const nowhere = `ou=Nowhere,${container}`;
      const noObject = { reason: 'not_found', detail: `LDAP object '${missing}' does not exist` };
      expect(await refusalOf(manager.Move_LDAP_Object({ dn: missing, container }))).toEqual(noObject);
      expect(await refusalOf(manager.Move_LDAP_Object({ dn: missing, container: nowhere }))).toEqual(
        noObject,
      );
      expect(await refusalOf(manager.Rename_LDAP_Object({ dn: missing, name: 'x' }))).toEqual(noObject);
      expect(await refusalOf(manager.Remove_LDAP_Object({ dn: missing }))).toEqual(noObject);
      expect(await refusalOf(manager.Activate_LDAP_Object({ dn: missing }))).toEqual(noObject);
      expect(await refusalOf(manager.Check_User_Active({ dn: missing }))).toEqual(noObject);
      expect(await refusalOf(manager.Move_LDAP_Object({ dn, container: nowhere }))).toEqual({
        reason: 'not_found',
        detail: `LDAP container '${nowhere}' does not exist`,
      });
    });

    it('does not overwrite an entry, nor remove one with children', async () => {
      const container = await stage.container();
      const [dn, other] = [await stage.container(container), await stage.container(container)];
      const name = other.slice('ou='.length, other.indexOf(','));
      const taken = { reason: 'already_exists', detail: `LDAP object '${other}' already exist` };
      expect(await refusalOf(manager.Rename_LDAP_Object({ dn, name }))).toEqual(taken);
      const namesake = `ou=${name},${dn}`;
      await manager.Create_LDAP_Object({ dn: namesake, attrs: { objectclass: 'organizationalUnit' } });
      expect(await refusalOf(manager.Move_LDAP_Object({ dn: namesake, container }))).toEqual(taken);
      expect((await refusalOf(manager.Remove_LDAP_Object({ dn: container }))).reason).toBe('schema_refused');
    });
  });

  describe('Search_LDAP_Objects', () => {
    let container: string;
    beforeAll(async () => {
      container = await stage.container();
      for (const uid of ['zoe', 'adam', 'mia']) await stage.person(container, uid, { mail: `${uid}@x.org` });
      await stage.person(await stage.container(container), 'deep');
    });

    const found = async (params: { filter?: string; scope?: 'sub' | 'base' | 'one'; attrs?: string[] }) =>
      Object.keys(await manager.Search_LDAP_Objects({ basedn: container, attrs: ['1.1'], ...params })).map(
        (dn) => dn.replace(/,.*/, '').replace(/ou=stage \d+/, 'ou'),
      );

    it('finds by scope, in creation order, the base first', async () => {
      // OpenLDAP knows the second of a creation and no more: these are of one.
      const ordered = (names: readonly string[]) => (engine === 'OpenLDAP' ? [...names].sort() : names);
      const [base, ...below] = await found({});
      expect([base, ...ordered(below)]).toEqual([
        'ou',
        ...ordered(['uid=zoe', 'uid=adam', 'uid=mia', 'ou', 'uid=deep']),
      ]);
      expect(ordered(await found({ scope: 'one' }))).toEqual(
        ordered(['uid=zoe', 'uid=adam', 'uid=mia', 'ou']),
      );
      expect(await found({ scope: 'base' })).toEqual(['ou']);
      expect(ordered(await found({ filter: '(mail=*)' }))).toEqual(
        ordered(['uid=zoe', 'uid=adam', 'uid=mia']),
      );
      expect(await found({ filter: 'uid=z*', scope: 'one' })).toEqual(['uid=zoe']);
      expect(await found({ filter: '(uid=nobody)' })).toEqual([]);
    });

    it('returns names in lower case, an empty map for an entry without attributes, and all attributes by default', async () => {
      const filter = '(|(uid=zoe)(ou=*))';
      const scope = 'one';
      const asked = await manager.Search_LDAP_Objects({ basedn: container, filter, scope, attrs: ['MAIL'] });
      const [zoe, unit] = Object.entries(asked).sort().reverse();
      expect([zoe?.[1], unit?.[1]]).toEqual([{ mail: ['zoe@x.org'] }, {}]);
      const [whole] = Object.values(
        await manager.Search_LDAP_Objects({ basedn: container, filter: '(uid=zoe)' }),
      );
      expect(whole).toMatchObject({ uid: ['zoe'], mail: ['zoe@x.org'], sn: ['Person'] });
      expect(whole).not.toHaveProperty('entryuuid');
    });

    it('names a missing base, and refuses too many entries', async () => {
      const basedn = `ou=Nowhere, ${container}`;
      expect(await refusalOf(manager.Search_LDAP_Objects({ basedn }))).toEqual({
        reason: 'not_found',
        detail: `LDAP container '${basedn}' does not exist`,
      });
      const few = await stage.enter({ config: { limits: { search_entries: 5 } } });
      expect((await refusalOf(few.Search_LDAP_Objects({ basedn: container }))).reason).toBe('too_large');
      expect(Object.keys(await few.Search_LDAP_Objects({ basedn: container, scope: 'one' }))).toHaveLength(4);
    });
  });

  it('reads DNs in every spelling, and repeats a malformed one', async () => {
    const container = await stage.container();
    await stage.person(container, 'Smith, John');
    for (const rdn of ['uid="Smith, John"', 'UID=smith\\2C john', 'userid=#0c0b536d6974682c204a6f686e']) {
      expect(await manager.Check_LDAP_Object({ dn: `${rdn};${container}` })).toBe(true);
    }
    expect(await refusalOf(manager.Check_LDAP_Object({ dn: 'alice' }))).toEqual({
      reason: 'invalid_dn',
      detail: "Could not read LDAP object 'alice' (invalid DN)",
    });
  });
});
