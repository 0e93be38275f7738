/** Combined proofs during a lockout, and their answers (docs/concepts/limits.md#combined-proof). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePast } from '../login/cast.ts';
import { type Fields, type Wire, wires } from '../login/doors.ts';
import { written } from '../login/rows/row.ts';
import { config, type Peer } from './nodes.ts';
import type { Authenticator } from './oracle/oracle-people.ts';
import { codeAt } from './oracle/oracle-people.ts';
import { atOnce, granted, minute, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({});
});
afterAll(() => stage.close());

const ask = (user: User, fields: object) => stage.ask(somewhere(), user, fields);

describe.each(Object.keys(wires))('3. refused, mode LDAPOTP, over %s', (name) => {
  let wire: Wire;
  beforeAll(() => {
    const service = stage.nodes.nodes[0].fixture.service;
    wire = (operation, fields) =>
      wires[name]?.(service)(operation, fields) ?? Promise.reject(new Error(name));
  });

  const wrong = '999999';
  const mixtures: readonly (readonly [string, (user: User) => Fields])[] = [
    ['right password, wrong code', (user) => ({ ldapPassword: user.password, otpPassword: wrong })],
    ['wrong password, right code', (user) => ({ ldapPassword: 'wrong', otpPassword: user.laterCode() })],
    ['both wrong', () => ({ ldapPassword: 'wrong', otpPassword: wrong })],
    ['the right password alone', ({ password }) => ({ ldapPassword: password })],
    ['a wrong password alone', () => ({ ldapPassword: 'wrong' })],
    ['the right code alone', (user) => ({ otpPassword: user.laterCode() })],
    ['a wrong code alone', () => ({ otpPassword: wrong })],
    ['nothing', () => ({})],
    ['one text, right password and wrong code', ({ password }) => ({ anyPassword: password + wrong })],
    ['one text, wrong password and right code', (user) => ({ anyPassword: `wrong${user.laterCode()}` })],
    ['one text, both wrong', () => ({ anyPassword: `wrong${wrong}` })],
    ['one text, the right password', ({ password }) => ({ anyPassword: password })],
  ];

  it('every other mixture and a single factor: the same bytes, the same time', async () => {
    const user = await stage.user();
    await stage.shutOut(user);
    const results: object[] = [];
    for (const [, fieldsOf] of mixtures) {
      const fields = fieldsOf(user);
      const begun = stage.nodes.clock.now();
      const response = await wire('anyPassword' in fields ? 'simpleLogin' : 'normalLogin', {
        username: user.name,
        ...fields,
      });
      const headers = [...response.headers].filter(([header]) => header !== 'retry-after');
      results.push({
        status: response.status,
        headers,
        body: (await response.text()).replaceAll('SimpleLogin', 'NormalLogin'),
        took: stage.nodes.clock.now() - begun,
      });
    }
    expect(results.map((one, n) => [mixtures[n]?.[0], one])).toEqual(
      mixtures.map(([what]) => [what, { ...results[0], took: 1000 }]),
    );
  });

  it('both right is granted, in two fields and in one text', async () => {
    for (const operation of ['normalLogin', 'simpleLogin'] as const) {
      const user = await stage.user();
      await stage.shutOut(user);
      const fields = operation === 'normalLogin' ? user.both() : { anyPassword: user.password + user.code() };
      const body = await (await wire(operation, { username: user.name, ...fields })).text();
      expect(body).toContain('Authentication success');
      expect(body).toMatch(operation === 'normalLogin' ? /concat"?[:>]0/ : /concat"?[:>]6/);
    }
  });
});

describe('4. refused where the mode wants one factor', () => {
  const apps: Peer = { address: '192.0.2.10' };
  beforeAll(async () => {
    const policy = { allowed_options: ['-LDAP' as const, '-U2F' as const], addresses: ['192.0.2.0/24'] };
    const clients = { ...config.clients, apps: policy };
    bound = await Stage.open({ ...atOnce, clients });
  });
  let bound: Stage;
  afterAll(() => bound.close());

  it.each([
    ['LDAP', 'password', {}],
    ['OTP', 'code', {}],
    ['LDAPOTP', 'code', { client: 'apps', options: '-LDAP' }],
    ['LDAPU2F', 'password', { client: 'apps', options: '-U2F' }],
  ] as const)('in mode %s, a %s with %o: both, or nothing', async (mode, factor, more) => {
    const user = await bound.user();
    await writePast(bound.nodes.nodes[0].fixture, user.dn, written({ LoginMode: mode }));
    const send = (fields: object) => bound.ask(apps, user, { ...fields, ...more });
    const [wrong, alone] =
      factor === 'password'
        ? [{ ldapPassword: 'wrong' }, { ldapPassword: user.password }]
        : [{ otpPassword: '999999' }, { otpPassword: user.laterCode() }];
    for (let n = 0; n < 5; n += 1) await send(wrong);
    expect(await send(alone)).toEqual(refused);
    expect(await send({ ldapPassword: user.password, otpPassword: '999999' })).toEqual(refused);
    expect(await send({ ldapPassword: 'wrong', otpPassword: user.laterCode() })).toEqual(refused);
    expect(await send(user.both())).toEqual(granted);
    bound.pass(5 * minute);
    expect(await send(factor === 'password' ? alone : { otpPassword: user.code() })).toEqual(granted);
  });
});

describe('6. refused with a right code and a wrong password', () => {
  const secret = Buffer.alloc(20, 9);
  const key = 'x';
  it.each([
    [
      'TOTP',
      { type: 'TOTP', key, digits: 6, secret, accepted: -1 },
      (now: number) => codeAt(Math.floor(now / 30_000), secret, 6),
    ],
    ['HOTP at its last', { type: 'HOTP', key, digits: 6, secret, next: 0 }, () => codeAt(10, secret, 6)],
    ['LIST', { type: 'LIST', key, digits: 6, secret, size: 3, used: [] }, () => codeAt(2, secret, 6)],
    ['EMERGENCY', { type: 'EMERGENCY', key, digits: 0, text: 'help 1', uses: 1 }, () => 'help 1'],
  ] as const)('%s: the code is still good', async (_, one, codeOf) => {
    const user = await stage.user({
      has: [one as unknown as Authenticator],
      settings: { 'Otp.OTPFallback': 'LIST' },
    });
    await stage.shutOut(user);
    const otpPassword = codeOf(stage.nodes.clock.now());
    for (let n = 0; n < 3; n += 1)
      expect(await ask(user, { ldapPassword: 'wrong', otpPassword })).toEqual(refused);
    expect(await ask(user, { ldapPassword: user.password, otpPassword })).toEqual(granted);
    expect(await ask(user, { ldapPassword: user.password, otpPassword })).toEqual(refused);
  });
});

describe('7. a challenge that began before the refusal', () => {
  const begin = async (user: User, peer: { address: string }) =>
    String((await stage.ask(peer, user, { ldapPassword: user.password })).session);
  const answer = (user: User, session: string, { peer, code }: { peer: { address: string }; code: string }) =>
    stage.ask(peer, user, { session, otpPassword: code }, 'Challenge');

  it('is granted with the right code', async () => {
    const [user, peer] = [await stage.user(), somewhere()];
    const session = await begin(user, peer);
    await stage.shutOut(user);
    expect(await answer(user, session, { peer, code: '999999' })).toEqual(refused);
    expect(await answer(user, session, { peer, code: user.code() })).toEqual(granted);
  });

  it('another caller’s answer is refused', async () => {
    const [user, peer] = [await stage.user(), somewhere()];
    const session = await begin(user, peer);
    await stage.shutOut(user);
    expect(await answer(user, session, { peer: somewhere(), code: user.laterCode() })).toEqual(refused);
    expect(await answer(user, session, { peer, code: user.code() })).toEqual(granted);
  });

  it('a wrong answer counts where it began, whoever passes it on', async () => {
    const [user, home] = [await stage.user({ settings: { 'Otp.ChallengeTimeout': '3600' } }), somewhere()];
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    const session = await begin(user, home);
    for (let n = 0; n < 5; n += 1) await answer(user, session, { peer: somewhere(), code: '999999' });
    // At home there is a refusal now: a challenge does not begin there; elsewhere it does.
    expect(await stage.ask(home, user, { ldapPassword: user.password })).toEqual(refused);
    expect(await stage.ask(somewhere(), user, { ldapPassword: user.password })).toMatchObject({ code: 2 });
  });
});
