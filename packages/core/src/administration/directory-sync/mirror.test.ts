/** Copies of another directory's objects, over the embedded directory and slapd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';

describe.each(engines)('copies: %s', (engine) => {
  let stage: Stage;
  let sync: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    sync = `ou=sync,${stage.base}`;
    await stage.manager.Create_LDAP_Object({ dn: sync, attrs: { objectclass: 'organizationalUnit' } });
  });
  afterAll(() => stage.close());

  const branch = (ou: string) => `ou=${ou},dc=branch,dc=example`;
  const attrsOf = (uid: string, names: string[]) =>
    stage.manager.Get_User_Attrs({ dn: `uid=${uid},${sync}`, attrs: names });
  const isThere = (rdn: string) => stage.manager.Check_LDAP_Object({ dn: `${rdn},${sync}` });
  const copy = (
    ou: string,
    uid: string,
    attrs: Record<string, string | string[]> = {},
    more: { type?: 'user' | 'group'; uuid?: string } = {},
  ) => stage.manager.Sync_LDAP_Object({ dn: `uid=${uid},${branch(ou)}`, attrs: { uid, ...attrs }, ...more });

  it('of a user stand in ou=sync under their RDN, with a cn from it, and are brought up to date', async () => {
    expect(await copy('people', 'ada', { mail: 'ada@branch.example' })).toBe(1);
    expect(await attrsOf('ada', ['objectclass', 'cn', 'sn', 'mail'])).toEqual({
      ...{ objectclass: ['inetOrgPerson'], cn: ['ada'], sn: ['ada'], mail: ['ada@branch.example'] },
    });
    expect(await copy('people', 'ada', { mail: 'lovelace@branch.example', sn: 'Lovelace' })).toBe(1);
    expect(await attrsOf('ada', ['cn', 'sn', 'mail'])).toEqual({
      ...{ cn: ['ada'], sn: ['Lovelace'], mail: ['lovelace@branch.example'] },
    });
  });

  it('log in once they are activated, stay so, and have the new password of the other directory', async () => {
    const dn = `uid=bea,${sync}`;
    await copy('people', 'bea', { userpassword: 'Correct-Horse-7' });
    await stage.manager.Activate_LDAP_Object({ dn });
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    const isIn = async (ldapPassword: string) =>
      (await stage.fixture.service.web.otp.normalLogin({ username: 'bea', ldapPassword })).code === 1;
    expect(await isIn('Correct-Horse-7')).toBe(true);
    await copy('people', 'bea', { userpassword: 'Another-Horse-8', objectclass: ['inetOrgPerson'] });
    expect([await isIn('Correct-Horse-7'), await isIn('Another-Horse-8')]).toEqual([false, true]);
  });

  it('of a group are POSIX groups where a gid is told', async () => {
    const dn = `cn=staff,${branch('groups')}`;
    const attrs = { cn: 'staff', gid: '5000', memberuid: ['ada', 'bea'] };
    expect(await stage.manager.Sync_LDAP_Object({ dn, attrs, type: 'group' })).toBe(1);
    const names = ['objectclass', 'gidnumber'];
    expect(await stage.manager.Get_User_Attrs({ dn: `cn=staff,${sync}`, attrs: names })).toEqual({
      ...{ objectclass: ['posixGroup'], gidnumber: ['5000'] },
    });
  });

  it('are renamed with their object, by its uuid, and keep what they have here', async () => {
    const uuid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    await copy('people', 'cleo', {}, { uuid });
    await stage.manager.Activate_LDAP_Object({ dn: `uid=cleo,${sync}` });
    expect(await copy('people', 'cleopatra', {}, { uuid: uuid.toUpperCase() })).toBe(1);
    expect([await isThere('uid=cleo'), await isThere('uid=cleopatra')]).toEqual([false, true]);
    expect(await stage.manager.Check_User_Active({ dn: `uid=cleopatra,${sync}` })).toBe(true);
  });

  it('change in nothing where a setting is refused, in their classes neither', async () => {
    await copy('people', 'finn');
    const classes = await attrsOf('finn', ['objectclass']);
    const changed = {
      objectclass: ['inetOrgPerson', 'webadmAccount'],
      webadmsettings: ['Otp.LoginMode=SESAME'],
    };
    await expect(copy('people', 'finn', changed)).rejects.toMatchObject({ reason: 'invalid_params' });
    expect(await attrsOf('finn', ['objectclass'])).toEqual(classes);
  });

  it('of two objects with one RDN are not mixed up', async () => {
    await copy('here', 'dora', { mail: 'dora@here.example' });
    await expect(copy('there', 'dora', { mail: 'dora@there.example' })).rejects.toMatchObject({
      reason: 'already_exists',
    });
    expect(await attrsOf('dora', ['mail'])).toEqual({ mail: ['dora@here.example'] });
  });

  it('go when their object has gone, those of that container only, and others that took their name stay', async () => {
    for (const uid of ['eve', 'ella', 'emma']) await copy('leaving', uid);
    await copy('staying', 'fay');
    await stage.manager.Remove_LDAP_Object({ dn: `uid=emma,${sync}` });
    const attrs = { objectclass: 'inetOrgPerson', cn: 'emma', sn: 'of ours' };
    await stage.manager.Create_LDAP_Object({ dn: `uid=emma,${sync}`, attrs });
    const contents = [`UID=Ella, ${branch('leaving')}`];
    expect(await stage.manager.Sync_LDAP_Delete({ container: branch('leaving'), contents })).toBe(1);
    const there = ['eve', 'ella', 'emma', 'fay'].map((uid) => isThere(`uid=${uid}`));
    expect(await Promise.all(there)).toEqual([false, true, true, true]);
    expect(await stage.manager.Sync_LDAP_Delete({ container: branch('leaving'), contents: [] })).toBe(0);
    expect(await isThere('uid=ella')).toBe(false);
  });

  it('all go where one empty text says that nothing is there, and an empty text beside others is refused', async () => {
    for (const uid of ['hal', 'hope']) await copy('closing', uid);
    const container = branch('closing');
    const mixed = stage.manager.Sync_LDAP_Delete({ container, contents: ['', `uid=hal,${container}`] });
    await expect(mixed).rejects.toMatchObject({ reason: 'invalid_dn' });
    expect(await stage.manager.Sync_LDAP_Delete({ container, contents: [''] })).toBe(0);
    expect([await isThere('uid=hal'), await isThere('uid=hope')]).toEqual([false, false]);
  });

  it('are made once, of many who do so at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => copy('people', 'gwen', { description: String(at) })),
    );
    expect(answers).toEqual(answers.map(() => 1));
    expect(await isThere('uid=gwen')).toBe(true);
  });

  it.each([
    ['no DN', { dn: 'nothing', attrs: { sn: 'x' } }, 'invalid_dn'],
    ['the root', { dn: '', attrs: { sn: 'x' } }, 'invalid_dn'],
    ['an attribute that is none', { dn: `uid=x,${branch('a')}`, attrs: { 'a b': 'x' } }, 'invalid_params'],
    [
      'a class that is none',
      { dn: `uid=x,${branch('a')}`, attrs: { objectclass: 'none' } },
      'schema_refused',
    ],
  ])('are refused with %s', async (_, params, reason) => {
    await expect(stage.manager.Sync_LDAP_Object(params)).rejects.toMatchObject({ reason });
    expect(await isThere('uid=x')).toBe(false);
  });
});

describe.each(engines)('copies by an administrator of one subtree: %s', (engine) => {
  it('stand below it, and nowhere else', async () => {
    const admin = 'by dn.exact="cn=admin,dc=example,dc=org" write';
    const access = [
      `access to attrs=userPassword ${admin} by anonymous auth by * none`,
      'access to * by users write by * none',
    ].join('\n');
    const stage = await openStage(engine, { access });
    try {
      const tenant = await stage.container();
      const helper = { username: 'helper', password: 'Correct-Horse-7' };
      const dn = await stage.person(tenant, helper.username, { userpassword: helper.password });
      const { fixture } = stage;
      const methods = ['Sync_LDAP_*'];
      const rights = { methods, create: ['inetOrgPerson'], write: ['*', 'userpassword'], read: ['*'] };
      const role = (subtrees: string[]) => ({ members: [dn], subtrees, ...rights });
      const roles = async (subtrees: string[]) => {
        const node = await fixture.another({
          config: { roles: { tenant: role(subtrees) } },
          ports: () => stage.ports,
        });
        const { manager } = await node.service.manager.login(helper);
        return manager;
      };
      const manager = await roles([tenant]);
      const object = { dn: 'uid=zoe,dc=branch', attrs: { uid: 'zoe' } };
      await expect(manager.Sync_LDAP_Object(object)).rejects.toMatchObject({ reason: 'not_found' });
      const ou = { objectclass: 'organizationalUnit' };
      await stage.manager.Create_LDAP_Object({ dn: `ou=sync,${tenant}`, attrs: ou });
      expect(await manager.Sync_LDAP_Object(object)).toBe(1);
      expect(await stage.manager.Check_LDAP_Object({ dn: `uid=zoe,ou=sync,${tenant}` })).toBe(true);
      expect(await stage.manager.Check_LDAP_Object({ dn: `uid=zoe,ou=sync,${stage.base}` })).toBe(false);
      // Those of the super administrator are others.
      expect(await stage.manager.Sync_LDAP_Delete({ container: 'dc=branch', contents: [] })).toBe(0);
      expect(await stage.manager.Check_LDAP_Object({ dn: `uid=zoe,ou=sync,${tenant}` })).toBe(true);
      const several = await roles([tenant, await stage.container()]);
      await expect(several.Sync_LDAP_Object(object)).rejects.toMatchObject({ reason: 'permission_denied' });
    } finally {
      await stage.close();
    }
  });
});
