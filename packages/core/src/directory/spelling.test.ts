/** One spelling of a name in all answers, RFC 4514 as we write it, however a caller or a directory writes it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../foundation/text/dn.ts';
import { engines, openStage, refusalOf, type Stage } from '../testing/bed/stage.ts';

describe.each(engines)('names: %s', (engine) => {
  let stage: Stage;
  let manager: Stage['manager'];
  let container: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    manager = stage.manager;
    container = await stage.container();
  });
  afterAll(() => stage.close());

  it('are spelled in one way in every answer', async () => {
    const dn = `cn=Doe\\, Jane \\+ "co" <1>,${container}`.replaceAll(/["<>]/g, '\\$&');
    // As other programs write it: RFC 2253 quotes, hexadecimal pairs, spaces between the parts.
    const other = `CN = "Doe, Jane + \\"co\\" <1>" , ${container}`;
    const hex = `cn=Doe\\2c Jane \\2B \\22co\\22 \\3c1\\3E,${container}`;
    const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], uid: 'jane', sn: 'Doe' };
    await manager.Create_LDAP_Object({ dn: hex, attrs });
    const group = `cn=a\\2Cb,${container}`;
    await manager.Create_LDAP_Object({ dn: group, attrs: { objectclass: 'groupOfNames', member: hex } });

    const found = await manager.Search_LDAP_Objects({
      basedn: container,
      filter: '(cn=*)',
      attrs: ['member', 'memberOf'],
    });
    expect(found).toEqual({
      [dn]: engine === 'embedded' ? { memberof: [`cn=a\\,b,${container}`] } : expect.anything(),
      [`cn=a\\,b,${container}`]: { member: [dn] },
    });
    expect(await manager.Get_User_DN({ username: 'jane', domain: 'Default' })).toBe(dn);
    for (const spelling of [dn, other, hex]) {
      expect(await manager.Get_User_Groups({ dn: spelling, domain: 'Default' })).toEqual([
        `cn=a\\,b,${container}`,
      ]);
      expect(Object.keys(await manager.Search_LDAP_Objects({ basedn: spelling, scope: 'base' }))).toEqual([
        dn,
      ]);
      expect(await manager.Get_User_Attrs({ dn: spelling, attrs: ['entryDN'] })).toEqual({ entrydn: [dn] });
    }
  });

  it('are repeated in errors as the caller wrote them', async () => {
    const dn = `CN = "no, body" , ${container}`;
    expect((await refusalOf(manager.Get_User_Attrs({ dn }))).detail).toBe(
      `LDAP object '${dn}' does not exist`,
    );
  });

  it('are that user only when a uid has a backslash, with and without a domain', async () => {
    const dn = await stage.person(container, 'a\\b', { userpassword: 'Back-slash1' });
    await stage.person(container, 'b', { userpassword: 'Other-Pa55' });
    await stage.person(container, 'ab', { userpassword: 'Other-Pa55' });
    expect(dn).toBe(`uid=a\\\\b,${container}`);
    const find = (username: string) => manager.Get_User_DN({ username, domain: 'Default' });
    expect(await find('a\\b')).toBe(dn);
    expect((await refusalOf(find('a\\5cb'))).reason).toBe('not_found');
    expect(await manager.Get_User_IDs({ dn })).toEqual(['a\\b']);
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    expect(await manager.Get_User_Settings({ dn, settings: ['Otp.LoginMode'] })).toEqual({
      'Otp.LoginMode': 'LDAP',
    });
    const login = async (fields: object) =>
      (await stage.fixture.service.web.otp.normalLogin({ ldapPassword: 'Back-slash1', ...fields })).code;
    expect(await login({ username: 'Default\\a\\b' })).toBe(1);
    expect(await login({ username: 'a\\b', domain: 'Default' })).toBe(1);
    // The text before the first backslash is a domain, if there is one of this name.
    expect(await login({ username: 'a\\b' })).toBe(1);
    for (const username of ['Default\\b', 'Default\\ab', 'a\\\\b', 'Default\\a\\\\b', 'Default\\a\\5cb'])
      expect(await login({ username })).toBe(0);
  });

  it('log administrators in when they have a backslash', async () => {
    const dn = await stage.person(container, 'c\\d', { userpassword: 'Back-slash1' });
    const node = await stage.fixture.another({
      config: { manager_auth: 'UID', super_admins: [stage.fixture.administrators, dn] },
      ports: () => stage.ports,
    });
    const enter = async (username: string) =>
      (await node.call('Who_Am_I', {}, { as: { username, password: 'Back-slash1' } })).result;
    for (const username of ['Default\\c\\d', 'c\\d']) expect(await enter(username)).toMatchObject({ dn });
  });

  it('are refused when they are taken, also when the directory has other unique values', async () => {
    await stage.person(container, 'first');
    const dn = await stage.person(container, 'second');
    expect(await refusalOf(manager.Rename_LDAP_Object({ dn, name: 'first' }))).toEqual({
      reason: 'already_exists',
      detail: `LDAP object 'uid=first,${container}' already exist`,
    });
    const elsewhere = await stage.container();
    const namesake = await stage.person(elsewhere, 'third');
    await manager.Move_LDAP_Object({ dn, container: elsewhere });
    expect(
      await refusalOf(manager.Rename_LDAP_Object({ dn: `uid=second,${elsewhere}`, name: 'THIRD' })),
    ).toEqual({ reason: 'already_exists', detail: `LDAP object 'uid=THIRD,${elsewhere}' already exist` });
    expect(await manager.Check_LDAP_Object({ dn: namesake })).toBe(true);
    const attrs = { objectclass: 'inetOrgPerson', cn: 'x', sn: 'x' };
    expect((await refusalOf(manager.Create_LDAP_Object({ dn: namesake, attrs }))).reason).toBe(
      'already_exists',
    );
    if (engine === 'embedded') return;
    // A value of another attribute is no name that is taken.
    const alone = await stage.person(container, 'fourth');
    expect(await refusalOf(manager.Rename_LDAP_Object({ dn: alone, name: 'third' }))).toMatchObject({
      reason: 'schema_refused',
      detail: expect.stringContaining('non-unique'),
    });
  });

  it('are refused when they are empty', async () => {
    const dn = await stage.person(container, 'named');
    for (const name of ['', ' ', '\t\n'])
      expect(await refusalOf(manager.Rename_LDAP_Object({ dn, name }))).toEqual({
        reason: 'invalid_params',
        detail: 'Parameter name is empty',
      });
    const missing = `uid=missing,${container}`;
    expect((await refusalOf(manager.Rename_LDAP_Object({ dn: missing, name: '' }))).reason).toBe('not_found');
    expect(Dn.parse(dn).format()).toBe(dn);
  });
});
