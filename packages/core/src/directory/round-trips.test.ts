/** What each method asks the directory for: on the hot path nothing more than it has to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../testing/bed/stage.ts';

describe('round trips', () => {
  let stage: Stage;
  let dn: string;
  let container: string;
  beforeAll(async () => {
    stage = await openStage('embedded');
    container = await stage.container();
    dn = await stage.person(container, 'counted', { mail: 'a@x.org' });
    await stage.manager.Set_User_Data({ dn, data: { 'Otp.TokenKey': 'eA==' } });
  });
  afterAll(() => stage.close());

  const asked = async (call: Promise<unknown>) => {
    await call;
    return stage.takeAsked().filter((name) => name !== 'capabilities'); // remembered by the adapters
  };

  it('are one for a simple change', async () => {
    const { manager } = stage;
    stage.takeAsked();
    expect(await asked(manager.Get_User_Attrs({ dn, attrs: ['mail'] }))).toEqual(['read']);
    expect(await asked(manager.Search_LDAP_Objects({ basedn: container }))).toEqual(['search']);
    expect(await asked(manager.Check_LDAP_Object({ dn }))).toEqual(['read']);
    expect(await asked(manager.Get_User_DN({ username: 'counted', domain: 'Default' }))).toEqual(['search']);
    expect(await asked(manager.Set_User_Attrs({ dn, attrs: { mail: 'b@x.org' } }))).toEqual(['modify']);
    const attrs = { mail: ['c@x.org', 'd@x.org'] };
    expect(await asked(manager.Set_User_Attrs({ dn, attrs, values: true }))).toEqual(['modify']);
    expect(await asked(manager.Remove_User_Attrs({ dn, attrs, values: true }))).toEqual(['modify']);
    expect(await asked(manager.Get_User_Data({ dn }))).toEqual(['read']);
    const another = `uid=another,${container}`;
    const person = { objectclass: 'inetOrgPerson', cn: 'x', sn: 'x' };
    expect(await asked(manager.Create_LDAP_Object({ dn: another, attrs: person }))).toEqual(['add']);
    expect(await asked(manager.Move_LDAP_Object({ dn: another, container }))).toEqual(['rename']);
    expect(await asked(manager.Remove_LDAP_Object({ dn: another }))).toEqual(['read', 'remove']);
  });

  it('are two for a change that needs a read', async () => {
    const { manager } = stage;
    const idle = await stage.person(container, 'idle', { objectclass: 'inetOrgPerson' });
    stage.takeAsked();
    expect(await asked(manager.Activate_LDAP_Object({ dn: idle }))).toEqual(['read', 'modify']);
    expect(await asked(manager.Check_User_Password({ dn, password: 'x' }))).toEqual(['read', 'authenticate']);
  });

  it('are one more when the service reads, for any caller', async () => {
    const { manager } = stage;
    stage.takeAsked();
    const password = manager.Set_User_Password({ dn, password: 'First-Pa55' });
    expect(await asked(password)).toEqual(['setPassword', 'service.read']);
    const deactivation = await asked(manager.Deactivate_LDAP_Object({ dn }));
    expect(deactivation).toEqual(['read', 'service.read', 'modify', 'service.read']);
  });
});
