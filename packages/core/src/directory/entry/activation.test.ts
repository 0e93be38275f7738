/** Deactivated and activated again: what a user had is there again, and was nowhere to be used meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgiving } from '../../testing/bed/forgiving.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';

/** RFC 4226 appendix D: the secret, and the codes of its first counters. */
const key = Buffer.from('12345678901234567890').toString('base64');
const codes = ['755224', '287082', '359152'] as const;
const password = 'Right-Pa55word';

describe.each(engines)('a deactivated user: %s', (engine) => {
  let stage: Stage;
  let manager: Stage['manager'];
  let container: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    manager = stage.manager;
    container = await stage.container();
  });
  afterAll(() => stage.close());

  const login = async (username: string, otpPassword: string) =>
    (await stage.fixture.service.web.otp.normalLogin({ username, ldapPassword: password, otpPassword })).code;
  const kept = async (dn: string) => {
    const [id = ''] = (await manager.Get_User_Attrs({ dn, attrs: ['entryUUID'] })).entryuuid ?? [];
    return (await stage.ports.entryRecords.read([id])).get(id);
  };

  it('is refused everywhere, and has tokens and settings again after an activation', async () => {
    const dn = await stage.person(container, 'alice2', { userpassword: password });
    await manager.Otp.HOTP_Register({ dn, key, counter: 0 });
    await manager.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '4', 'Otp.ReplyData': 'a,b' } });
    expect(await login('alice2', codes[0])).toBe(1);
    const data = await manager.Get_User_Data({ dn });

    expect(await manager.Deactivate_LDAP_Object({ dn })).toBe(1);
    expect(await manager.Get_User_Attrs({ dn, attrs: ['webadmSettings', 'webadmData'] })).toEqual({});
    expect(await login('alice2', codes[1])).toBe(0);
    expect((await refusalOf(manager.Get_User_Data({ dn }))).reason).toBe('not_found');
    // Secrets are as encrypted there as on the entry.
    expect(await kept(dn)).toContain('Otp.TokenKey={wcrypt}');
    expect(await manager.Deactivate_LDAP_Object({ dn })).toBe(false);

    expect(await manager.Activate_LDAP_Object({ dn })).toBe(1);
    expect(await kept(dn)).toBeUndefined();
    expect(await manager.Get_User_Data({ dn })).toEqual(data);
    expect(await manager.Get_User_Settings({ dn, settings: ['Otp.MaxTries', 'Otp.ReplyData'] })).toEqual({
      'Otp.MaxTries': '4',
      'Otp.ReplyData': 'a,b',
    });
    expect(await login('alice2', codes[0])).toBe(0);
    expect(await login('alice2', codes[1])).toBe(1);
  });

  it('is restored to its last state, also after a move, and a new user with its name has nothing', async () => {
    const dn = await stage.person(container, 'bob2');
    const set = (value: string) => manager.Set_User_Settings({ dn, settings: { 'Otp.ReplyData': value } });
    await set('first');
    await manager.Deactivate_LDAP_Object({ dn });
    // By hand, past the method: what was kept is not what the user has now.
    await manager.Set_User_Attrs({ dn, attrs: { objectclass: ['webadmAccount'] }, values: true });
    await set('second');
    await manager.Deactivate_LDAP_Object({ dn });
    const elsewhere = await stage.container();
    await manager.Move_LDAP_Object({ dn, container: elsewhere });
    const moved = `uid=bob2,${elsewhere}`;
    await manager.Activate_LDAP_Object({ dn: moved });
    const read = (of: string) => manager.Get_User_Settings({ dn: of, settings: ['Otp.ReplyData'] });
    expect(await read(moved)).toEqual({ 'Otp.ReplyData': 'second' });

    await manager.Deactivate_LDAP_Object({ dn: moved });
    const [id = ''] = (await manager.Get_User_Attrs({ dn: moved, attrs: ['entryUUID'] })).entryuuid ?? [];
    await manager.Remove_LDAP_Object({ dn: moved });
    expect(await stage.ports.entryRecords.read([id])).toEqual(new Map());
    await stage.person(elsewhere, 'bob2', { objectclass: 'inetOrgPerson' });
    await manager.Activate_LDAP_Object({ dn: moved });
    expect(await read(moved)).toEqual({});
  });

  it('gets the kept data when the class was added directly, unless it has new data', async () => {
    const dn = await stage.person(container, 'dora2');
    const set = (value: string) => manager.Set_User_Settings({ dn, settings: { 'Otp.ReplyData': value } });
    const read = () => manager.Get_User_Settings({ dn, settings: ['Otp.ReplyData'] });
    const give = () =>
      manager.Set_User_Attrs({ dn, attrs: { objectclass: ['webadmAccount'] }, values: true });
    await set('first');
    await manager.Deactivate_LDAP_Object({ dn });
    await give();
    expect(await manager.Activate_LDAP_Object({ dn })).toBe(1);
    expect(await read()).toEqual({ 'Otp.ReplyData': 'first' });
    expect([await manager.Activate_LDAP_Object({ dn }), await kept(dn)]).toEqual([false, undefined]);

    await manager.Deactivate_LDAP_Object({ dn });
    await give();
    await set('second');
    expect([await manager.Activate_LDAP_Object({ dn }), await kept(dn)]).toEqual([false, undefined]);
    expect(await read()).toEqual({ 'Otp.ReplyData': 'second' });
  });

  it('loses no concurrent change', async () => {
    const dn = await stage.person(container, 'carol2');
    await manager.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '1' } });
    const settings = ['BlockTime', 'ListSize', 'ChallengeTimeout', 'TOTPTimeStep'].map(
      (name) => `Otp.${name}`,
    );
    const set = settings.map(async (name) =>
      manager.Set_User_Settings({ dn, settings: { [name]: 60 } }).then(
        () => [name],
        () => [],
      ),
    );
    await manager.Deactivate_LDAP_Object({ dn }).catch(() => false);
    const done = (await Promise.all(set)).flat();
    await manager.Deactivate_LDAP_Object({ dn });
    await manager.Activate_LDAP_Object({ dn });
    expect(await forgiving(manager).Get_User_Settings({ dn, settings: [...done, 'Otp.MaxTries'] })).toEqual({
      ...Object.fromEntries(done.map((name) => [name, '60'])),
      'Otp.MaxTries': '1',
    });
  });
});
