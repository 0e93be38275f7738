/** Application passwords and temporary ones: made by administrators, and logins with them, over both directories. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { engines, openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';

const password = 'Correct-Horse-7';
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const [mail, calendar, stranger] = ['192.0.2.7', '192.0.2.8', '198.51.100.9'];

describe.each(engines)('passwords that stand in: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  /** Installation whose policy requires a device. */
  let vault: Fixture;
  let manager: Stage['manager'];
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    const clients = { Mail: { addresses: [mail] }, calendar: { addresses: [calendar] } };
    const config = { clients, settings: { 'Otp.MaxTries': '1000' } };
    node = await stage.fixture.another({ config, ports: () => stage.ports });
    vault = await stage.fixture.another({
      config: {
        clients: { Vault: { settings: { 'Otp.LoginMode': 'LDAPU2F' } } },
        relying_party: { id: 'example.org', origins: ['https://example.org'] },
      },
      ports: () => stage.ports,
    });
    manager = await stage.enter({ config });
    people = await stage.container();
  });
  afterAll(async () => {
    for (const one of [vault, node]) await one.close();
    await stage.close();
  });

  const person = (uid: string) => stage.person(people, uid, { userpassword: password });
  async function ask(address: string, fields: Record<string, string>, operation = 'otpSimpleLogin') {
    const text = JSON.stringify(fields);
    const response = await node.service.web.answer({
      ...{ address, port: 4711, gone: new AbortController().signal, method: 'POST' },
      url: new URL(`https://localhost/otp/json/${operation}/`),
      headers: new Headers({ 'content-type': 'application/json', 'content-length': String(text.length) }),
      body: async () => Buffer.from(text),
    });
    return JSON.parse(Buffer.from(response.body).toString());
  }
  const logIn = (address: string, username: string, anyPassword: string, more = {}) =>
    ask(address, { username, anyPassword, ...more });
  async function withKeys(uid: string, terms = {}) {
    const dn = await person(uid);
    expect(await manager.Otp.AppKey_Register({ dn, ...terms })).toBe(1);
    const keys: Record<string, string> = Object(await manager.Otp.AppKey_Fetch({ dn }));
    return { dn, keys };
  }

  describe('an application password', () => {
    it('is one for each client, of 20 letters and digits', async () => {
      const { keys } = await withKeys('adele');
      expect(Object.keys(keys)).toEqual(['Mail', 'calendar']);
      expect(keys.Mail).toMatch(/^[A-Za-z0-9]{20}$/);
      expect(keys.Mail).not.toBe(keys.calendar);
    });

    it('logs in in the place of all factors, again and again, from its client only', async () => {
      const { dn, keys } = await withKeys('bea');
      for (const _ of [1, 2])
        expect(await logIn(mail, 'bea', keys.Mail ?? '')).toMatchObject({ code: 1, concat: 0 });
      expect(node.events().at(-1)).toMatchObject({
        dn,
        text: expect.stringContaining('granted by application password'),
      });
      const apart = { username: 'bea', ldapPassword: keys.Mail ?? '' };
      expect(await ask(mail, apart, 'otpNormalLogin')).toMatchObject({ code: 1 });
      expect(await logIn(calendar, 'bea', keys.Mail ?? '')).toMatchObject(refused);
      expect(await logIn(stranger, 'bea', keys.Mail ?? '')).toMatchObject(refused);
      expect(await logIn(stranger, 'bea', keys.Mail ?? '', { client: 'Mail' })).toMatchObject(refused);
      expect(await logIn(calendar, 'bea', keys.Mail ?? '', { client: 'Mail' })).toMatchObject(refused);
      expect(await logIn(mail, 'bea', `${keys.Mail}x`)).toMatchObject(refused);
      expect(await logIn(mail, 'bea', (keys.Mail ?? '').toLowerCase())).toMatchObject(refused);
    });

    it('is none where the request, or the mode of the client, asks for more', async () => {
      const { dn, keys } = await withKeys('cleo');
      await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
      const more = { settings: 'LoginMode=LDAPOTP' };
      expect(await logIn(mail, 'cleo', keys.Mail ?? '', more)).toMatchObject(refused);
      expect(await logIn(mail, 'cleo', keys.Mail ?? '')).toMatchObject({ code: 1 });
      await manager.Set_Client_Mode({ client: 'Mail', mode: 2 });
      expect(await logIn(mail, 'cleo', keys.Mail ?? '')).toMatchObject(refused);
      await manager.Set_Client_Mode({ client: 'Mail', mode: 0 });
    });

    it('is none for who may not log in', async () => {
      const { dn, keys } = await withKeys('dora');
      await manager.Set_User_Settings({ dn, settings: { 'Otp.EnableLogin': 'No' } });
      expect(await logIn(mail, 'dora', keys.Mail ?? '')).toMatchObject(refused);
    });

    it('is replaced by the next, expires, and is removed', async () => {
      const { dn, keys } = await withKeys('ella', { length: 30, expires: 2 });
      expect(keys.Mail).toMatch(/^[A-Za-z0-9]{30}$/);
      await manager.Otp.AppKey_Register({ dn, expires: 2 });
      expect(await logIn(mail, 'ella', keys.Mail ?? '')).toMatchObject(refused);
      const { Mail } = Object(await manager.Otp.AppKey_Fetch({ dn }));
      expect(await manager.Otp.User_Methods({ dn })).toEqual(['APPKEY']);
      node.clock.advance(2 * 86_400_000 - 1);
      expect(await logIn(mail, 'ella', Mail)).toMatchObject({ code: 1 });
      node.clock.advance(1);
      expect(await logIn(mail, 'ella', Mail)).toMatchObject(refused);
      expect(await manager.Otp.User_Methods({ dn })).toEqual([]);
      expect(await refusalOf(manager.Otp.AppKey_Fetch({ dn }))).toMatchObject({ reason: 'not_found' });
      expect(await manager.Otp.AppKey_Unregister({ dn })).toBe(1);
      expect(await manager.Otp.AppKey_Unregister({ dn })).toBe(false);
    });

    it('opens nothing while failures refuse the user: it is a single factor', async () => {
      const { dn, keys } = await withKeys('fay');
      await manager.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '3' } });
      for (const _ of [1, 2, 3]) await logIn(mail, 'fay', 'wrong');
      expect(await logIn(mail, 'fay', keys.Mail ?? '')).toMatchObject({ code: 0 });
      await manager.Otp.Block_Reset({ dn });
      expect(await logIn(mail, 'fay', keys.Mail ?? '')).toMatchObject({ code: 1 });
    });

    it('has one of five lengths', async () => {
      const dn = stage.nameOf(people, 'adele');
      expect(await refusalOf(manager.Otp.AppKey_Register({ dn, length: 11 }))).toMatchObject({
        ...{ reason: 'invalid_params', detail: 'Parameter length is none of 10, 15, 20, 25, 30' },
      });
    });
  });

  describe('a temporary password', () => {
    const lent = 'lent for an hour';

    it('logs in in the place of all factors, from anywhere, for its time', async () => {
      const dn = await person('gwen');
      expect(await manager.Otp.TmpKey_Register({ dn, password: lent })).toBe(1);
      for (const from of [mail, stranger]) expect(await logIn(from, 'gwen', lent)).toMatchObject({ code: 1 });
      expect(node.events().at(-1)?.text).toContain('granted by temporary password');
      expect(await logIn(mail, 'gwen', `${lent} `)).toMatchObject(refused);
      expect(await manager.Otp.User_Methods({ dn })).toEqual(['TMPKEY']);
      node.clock.advance(60 * 60_000 - 1);
      expect(await logIn(mail, 'gwen', lent)).toMatchObject({ code: 1 });
      node.clock.advance(1);
      expect(await logIn(mail, 'gwen', lent)).toMatchObject(refused);
    });

    it('is in force for as long as it says, and is removed', async () => {
      const dn = await person('hanna');
      await manager.Otp.TmpKey_Register({ dn, password: lent, expires: 1440 });
      node.clock.advance(1439 * 60_000);
      expect(await logIn(mail, 'hanna', lent)).toMatchObject({ code: 1 });
      expect(await manager.Otp.TmpKey_Unregister({ dn })).toBe(1);
      expect(await logIn(mail, 'hanna', lent)).toMatchObject(refused);
      expect(await manager.Otp.TmpKey_Unregister({ dn })).toBe(false);
    });

    it('stands in for the device that the policy of a client wants', async () => {
      const dn = await person('iris');
      await manager.Otp.TmpKey_Register({ dn, password: lent });
      const code = String(await manager.Otp.Emerg_Register({ dn }));
      const enter = (anyPassword: string) =>
        vault.service.web.otp.simpleLogin({ username: 'iris', anyPassword, client: 'Vault' });
      expect(await enter(password + code)).toMatchObject({ code: 0 });
      expect(await enter(lent)).toMatchObject({ code: 1 });
    });

    it('leaves the usual ways open', async () => {
      const dn = await person('ines');
      await manager.Otp.TmpKey_Register({ dn, password: lent });
      const otp = String(await manager.Otp.Emerg_Register({ dn }));
      const usual = { username: 'ines', ldapPassword: password, otpPassword: otp };
      expect(await ask(mail, usual, 'otpNormalLogin')).toMatchObject({ code: 1 });
    });

    it.each(['x'.repeat(9), 'x'.repeat(31)])('is 10 to 30 characters: %s', async (short) => {
      const dn = stage.nameOf(people, 'ines');
      expect(await refusalOf(manager.Otp.TmpKey_Register({ dn, password: short }))).toMatchObject({
        ...{ reason: 'invalid_params', detail: 'Parameter password is not 10 to 30 characters' },
      });
    });
  });

  it('neither stands in clear on the entry or in the log', async () => {
    const { dn, keys } = await withKeys('jana');
    await manager.Otp.TmpKey_Register({ dn, password: 'nowhere-to-be-seen' });
    const { webadmdata } = Object(await manager.Get_User_Attrs({ dn, attrs: ['webadmdata'] }));
    expect(String(webadmdata)).toMatch(
      /AppKey=\{wcrypt\}.*TmpKey=\{wcrypt\}|TmpKey=\{wcrypt\}.*AppKey=\{wcrypt\}/,
    );
    await logIn(mail, 'jana', keys.Mail ?? '');
    const result = JSON.stringify([node.events(), node.log, stage.fixture.events()]);
    for (const secret of [keys.Mail ?? '-', 'nowhere-to-be-seen']) expect(result).not.toContain(secret);
  });
});
