/** Yubikeys that a verification server judges: registered, and logins with them, over the embedded directory and slapd. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openYubicoServers } from '../../../../../gateways/src/http/yubico-servers.ts';
import { systemRandom } from '../../../../../node/src/machine/index.ts';
import { YubicoServer } from '../../../testing/bed/engines/yubico/yubico-server.ts';
import { Yubikey } from '../../../testing/bed/engines/yubico/yubikey.ts';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { engines, openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';

const password = 'Correct-Horse-7';
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };

describe.each(engines)('Yubikeys of a verification server: %s', (engine) => {
  const server = new YubicoServer();
  let stage: Stage;
  let node: Fixture;
  let other: Fixture;
  let manager: Stage['manager'];
  let people: string;
  beforeAll(async () => {
    const url = await server.start();
    const key = server.key.toString('base64');
    const options = { urls: [url], client_id: server.clientId, key, timeout_s: 2 };
    const yubico = () => ({ yubico: openYubicoServers(options, systemRandom) });
    stage = await openStage(engine);
    const config = { settings: { 'Otp.MaxTries': '1000' } };
    node = await stage.fixture.another({ config, ports: () => ({ ...stage.ports, ...yubico() }) });
    other = await stage.fixture.another({ config, ports: () => ({ ...stage.ports, ...yubico() }) });
    manager = await stage.enter({ ports: yubico });
    people = await stage.container();
  });
  beforeEach(() => {
    server.twist = (answer) => answer;
    server.asked = [];
  });
  afterAll(async () => {
    await other.close();
    await node.close();
    await stage.close();
    server.stop();
  });

  async function person(uid: string) {
    const dn = await stage.person(people, uid, { userpassword: password });
    const key = new Yubikey();
    server.keys.push(key);
    expect(await manager.Otp.Yubicloud_Register({ dn, otp: key.touch() })).toBe(1);
    server.asked = [];
    return { dn, key };
  }
  const logIn = (username: string, otpPassword: string, { at = node, ldapPassword = password } = {}) =>
    at.service.web.otp.normalLogin({ username, ldapPassword, otpPassword });
  const wrongCodes = async (dn: string) => Object(await manager.Otp.Block_Check({ dn })).codes;

  it('a code logs in once, on whatever node, and that of the registration does not', async () => {
    const { dn, key } = await person('adele');
    expect(await manager.Otp.User_Tokens({ dn })).toMatchObject([
      { id: 1, type: 'YUBICLOUD', enabled: true, tokenid: key.touch().slice(0, 12) },
    ]);
    expect(Object.keys(Object(await manager.Get_User_Data({ dn })))).not.toContain('Otp.TokenKey');
    const otp = key.touch();
    expect(await logIn('adele', otp.toUpperCase())).toMatchObject({ code: 1 });
    expect(await logIn('adele', otp)).toMatchObject(refused);
    expect(await logIn('adele', otp, { at: other })).toMatchObject(refused);
    expect(await logIn('adele', key.touch(), { at: other })).toMatchObject({ code: 1 });
  });

  it.each([
    ['an honest server', false],
    ['a server that lets all be good', true],
  ])('of twenty who use one code at once, one is let in, with %s', async (_, isCareless) => {
    const { key } = await person(isCareless ? 'bea' : 'bert');
    const otp = key.touch();
    if (isCareless)
      server.twist = (answer) => ({ otp, nonce: server.asked.at(-1)?.nonce ?? '', ...answer, status: 'OK' });
    const all = Array.from({ length: 20 }, (_, n) =>
      logIn(isCareless ? 'bea' : 'bert', otp, { at: n % 2 === 0 ? node : other }),
    );
    expect((await Promise.all(all)).filter(({ code }) => code === 1)).toHaveLength(1);
  });

  it('is asked about nothing but a code of this key behind the right password', async () => {
    const { key } = await person('cleo');
    const otp = key.touch();
    expect(await logIn('cleo', otp, { ldapPassword: 'wrong' })).toMatchObject(refused);
    expect(await logIn('cleo', new Yubikey().touch())).toMatchObject(refused);
    expect(await logIn('cleo', '123456')).toMatchObject(refused);
    expect(server.asked).toEqual([]);
    expect(await logIn('cleo', otp)).toMatchObject({ code: 1 });
  });

  it('counts as wrong what the server does not know', async () => {
    const { dn, key } = await person('dora');
    expect(await logIn('dora', new Yubikey(key.publicId).touch())).toMatchObject(refused);
    expect(await wrongCodes(dn)).toBe(1);
    expect(await logIn('dora', key.touch())).toMatchObject({ code: 1 });
    expect(await wrongCodes(dn)).toBe(0);
  });

  it('lets nobody in while no server answers for certain, and nobody has failed', async () => {
    const { dn, key } = await person('ella');
    const { session } = { session: '', ...(await logIn('ella', '')) };
    for (const twist of [() => undefined, () => ({ status: 'OK', nonce: 'a'.repeat(32), otp: 'c' })]) {
      server.twist = twist;
      expect(await logIn('ella', key.touch())).toMatchObject({ code: 0, error: 'ServerError' });
    }
    const answer = () =>
      node.service.web.otp.challenge({ username: 'ella', session, otpPassword: key.touch() });
    expect(await answer()).toMatchObject({ code: 0, error: 'ServerError' });
    expect(await wrongCodes(dn)).toBe(0);
    expect(inspect(stage.fixture.log.lines, { depth: 5 })).not.toContain('Internal error');
    server.twist = (honest) => honest;
    expect(await answer()).toMatchObject({ code: 1 });
  });

  it('stands behind the password in one field', async () => {
    const { key } = await person('fay');
    const anyPassword = `${password}${key.touch()}`;
    expect(await node.service.web.otp.simpleLogin({ username: 'fay', anyPassword })).toMatchObject({
      ...{ code: 1, concat: 44 },
    });
  });

  it('is not registered with a code that is none, was used, or cannot be verified', async () => {
    const { dn, key } = await person('gwen');
    const otp = key.touch();
    expect(await logIn('gwen', otp)).toMatchObject({ code: 1 });
    const refusal = (code: string, by = manager) =>
      refusalOf(by.Otp.Yubicloud_Register({ dn, otp: code, id: 2 }));
    for (const code of ['', '123456', otp.slice(12), otp, new Yubikey().touch()])
      expect(await refusal(code)).toMatchObject({ reason: 'invalid_params' });
    expect(await refusal(key.touch(), stage.manager)).toMatchObject({
      reason: 'unavailable',
      detail: expect.stringContaining('yubico in the configuration'),
    });
    server.twist = () => undefined;
    expect(await refusal(key.touch())).toMatchObject({ reason: 'unavailable' });
  });
});
