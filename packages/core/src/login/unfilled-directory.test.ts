/**
 * A directory in which the base of a domain is not there, or not yet: nobody is unknown for that.
 *
 * The guard: `lookUp` (directory/entry/user.ts) takes the missing base for a fault of the directory.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, openStage, type Stage } from '../testing/bed/stage.ts';

describe.each(engines)('a domain whose base is not there: %s', (engine) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(engine);
  });
  afterAll(() => stage.close());

  it('answers logins with Server error and counts no failure, so that all is well once it is filled', async () => {
    const base = `ou=later,${stage.base}`;
    const node = await stage.node({
      config: {
        domains: { Default: { base: stage.base }, Later: { base } },
        settings: { 'Otp.LoginMode': 'LDAP', 'Otp.MaxTries': '3' },
        limits: { login_failure_delay_ms: 0 },
      },
    });
    const username = 'late';
    const logIn = (ldapPassword: string) =>
      node.service.web.otp.normalLogin({ username, domain: 'Later', ldapPassword });
    const failed = { code: 0, error: 'ServerError', message: 'Server error' };
    for (let n = 0; n < 12; n += 1) expect(await logIn('wrong')).toMatchObject(failed);
    expect(node.events().filter(({ text }) => text.includes('refused'))).toEqual([]);
    await stage.manager.Create_LDAP_Object({ dn: base, attrs: { objectclass: 'organizationalUnit' } });
    await stage.person(base, username, { userpassword: 'Correct-Horse-7' });
    expect(await logIn('Correct-Horse-7')).toMatchObject({ code: 1 });
    await node.close();
  });
});
