/** Outcomes of logins: the factors of a grant, what a challenge asks for, and what counts. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otp } from '../applications/otp/index.ts';
import { tokenKey } from '../authenticators/claim-keys.ts';
import { codeAt, secret } from '../authenticators/testing/owner.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { fromModhex } from '../foundation/oath/yubico.ts';
import { Dn } from '../foundation/text/dn.ts';
import { wrongCodesKey, wrongCodesRecord } from '../limits/authenticator-cap.ts';
import { SecurityKey } from '../testing/bed/engines/security-key.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { answerChallenge, login } from './login.ts';
import type { LoginOutcome, LoginRequest, LoginSecrets } from './request.ts';
import type { LoginCall } from './view.ts';

const password = 'Correct-Horse-7';
const key = secret.toString('base64');
const cloudOtp = (use: string) => `dteffuje${use.repeat(32)}`;
const origin = 'https://localhost:8443';

let node: Fixture;
let verdict: 'good' | 'wrong' | 'none';
beforeAll(async () => {
  const verify = async () => {
    if (verdict === 'none') throw new ServiceError('unavailable', { detail: 'no server answers' });
    return verdict;
  };
  const yubico = { verify, close: () => undefined };
  node = await openFixture({
    config: {
      limits: { login_failure_delay_ms: 0, challenges_per_minute: 2 },
      relying_party: { id: 'localhost', origins: [origin] },
    },
    ports: () => ({ yubico }),
  });
});
afterAll(() => node.close());

const call = async (method: string, params: object): Promise<unknown> => {
  const { result, error } = await node.call(method, params);
  if (error) throw new Error(`${method}: ${error.data}`);
  return result;
};

let people = 0;
/** A new user with these settings. */
async function person(settings: Record<string, string> = {}) {
  people += 1;
  const username = `person${people}`;
  const dn = `uid=${username},ou=people,${node.base}`;
  const attributes = { cn: [username], sn: [username], userpassword: [password] };
  const entry = { objectclass: ['inetOrgPerson', 'webadmaccount'], ...attributes };
  await node.ports.directory.service.add(Dn.parse(dn), new Map(Object.entries(entry)));
  const named = Object.entries(settings).map(([name, value]) => [`Otp.${name}`, value]);
  await call('Set_User_Settings', { dn, settings: Object.fromEntries(named) });
  return { username, dn };
}
type Person = Awaited<ReturnType<typeof person>>;

const step = () => Math.floor(node.clock.now() / 30_000);
const totp = () => codeAt(step());
const callOf = (more: Partial<LoginCall> = {}): LoginCall => ({
  ...node.core,
  caller: { address: '192.0.2.7', trusted: true, choosesPolicy: true },
  transaction: { id: 'TESTTEST', client: '192.0.2.7:1' },
  application: otp,
  operation: 'otpNormalLogin',
  ...more,
});
const logIn = (
  { username }: Pick<Person, 'username'>,
  secrets: LoginRequest & LoginSecrets,
  more?: Partial<LoginCall>,
): Promise<LoginOutcome> => login({ username, ...secrets }, callOf(more));
const answer = ({ username }: Person, session: string, code: string) =>
  answerChallenge({ username, session, otp: code }, callOf());
const sessionOf = (outcome: LoginOutcome): string => (outcome.kind === 'challenge' ? outcome.session : '');
const lastText = () =>
  node
    .events()
    .at(-1)
    ?.text.replace(/^.*?: /, '');

describe('a granted login', () => {
  it.each<[string, string, object, (code: string) => LoginSecrets]>([
    ['the password', 'LDAP', { isByPassword: true, isByFactor: false }, () => ({ password })],
    ['a code', 'OTP', { isByPassword: false, isByFactor: true }, (code) => ({ otp: code })],
    ['both', 'LDAPOTP', { isByPassword: true, isByFactor: true }, (code) => ({ password, otp: code })],
    [
      'a temporary password',
      'LDAPOTP',
      { isByPassword: false, isByFactor: false },
      () => ({ password: 'Lent-Horse-7' }),
    ],
  ])('names its factors: %s', async (_, LoginMode, by, secretsOf) => {
    const who = await person({ LoginMode });
    await call('Otp.TOTP_Register', { dn: who.dn, key });
    await call('Otp.TmpKey_Register', { dn: who.dn, password: 'Lent-Horse-7' });
    node.clock.advance(30_000);
    expect(await logIn(who, secretsOf(totp()))).toMatchObject({ kind: 'granted', by });
  });

  it('ends the row of wrong passwords by the right one alone', async () => {
    const who = await person({ LoginMode: 'LDAP', MaxTries: '1000' });
    const wrongPasswords = async () => Object(await call('Otp.Block_Check', { dn: who.dn })).passwords;
    for (const wrong of ['a', 'b']) await logIn(who, { password: wrong });
    expect(await wrongPasswords()).toBe(2);
    await call('Otp.TmpKey_Register', { dn: who.dn, password: 'Lent-Horse-7' });
    expect(await logIn(who, { password: 'Lent-Horse-7' })).toMatchObject({ kind: 'granted' });
    expect(await wrongPasswords()).toBe(2);
    expect(await logIn(who, { password })).toMatchObject({ kind: 'granted' });
    expect(await wrongPasswords()).toBe(0);
  });
});

describe('a full success', () => {
  it('ends the row of wrong codes, and is the last login', async () => {
    const who = await person();
    await call('Otp.TOTP_Register', { dn: who.dn, key });
    node.clock.advance(30_000);
    const wrongCodes = async () => Object(await call('Otp.Block_Check', { dn: who.dn })).codes;
    const lastLogin = () => call('Get_User_Data', { dn: who.dn, data: ['Otp.LastLogin'] });
    await logIn(who, { password, otp: '000000' });
    expect([await wrongCodes(), await lastLogin()]).toEqual([1, {}]);
    expect(await logIn(who, { password, otp: totp() })).toMatchObject({ kind: 'granted' });
    expect(lastText()).toBe('granted by password and TOKEN');
    expect([await wrongCodes(), await lastLogin()]).toEqual([0, { 'Otp.LastLogin': expect.any(String) }]);
  });
});

describe('a challenge', () => {
  it('logs what it waits for, and whether the password was right', async () => {
    const who = await person({ LoginMode: 'LDAPMFA' });
    await call('Otp.TOTP_Register', { dn: who.dn, key });
    expect(await logIn(who, { password })).toMatchObject({ kind: 'challenge', factor: 'TOKEN' });
    expect(lastText()).toBe('password right, waiting for TOKEN');
    const device = new SecurityKey({ rpId: 'localhost', origin });
    const random = randomBytes(32).toString('base64url');
    const response = Buffer.from(device.register(random)).toString('base64url');
    await call('Otp.FIDO_Register', { dn: who.dn, response, random });
    const credentialIds = [device.id.toString('base64')];
    expect(await logIn(who, { password })).toMatchObject({ factor: 'TOKEN', devices: { credentialIds } });
    expect(lastText()).toBe('password right, waiting for TOKEN or FIDO2');
    const single = await person({ LoginMode: 'OTP' });
    await logIn(single, {});
    expect(JSON.stringify(node.log.lines.at(-1))).toContain('no code, waiting for TOKEN"');
  });

  it('is limited for each source where no password was right, and is not where one was', async () => {
    const [who, single] = [await person(), await person({ LoginMode: 'OTP' })];
    await call('Otp.TOTP_Register', { dn: who.dn, key });
    const from = { source: '198.51.100.9' };
    const kinds = async (one: Person, secrets: LoginSecrets) => {
      const outcomes = [1, 2, 3].map(() => logIn(one, { ...secrets, ...from }));
      return (await Promise.all(outcomes)).map(({ kind }) => kind);
    };
    expect(await kinds(who, { password })).toEqual(['challenge', 'challenge', 'challenge']);
    expect(await kinds(single, {})).toEqual(['challenge', 'challenge', 'refused']);
    const words = 'too many challenges were begun from there';
    expect([node.countEvents(words), JSON.stringify(node.log.lines).includes(words)]).toEqual([0, true]);
  });

  it('asks a question where it waits for the code of a token', async () => {
    const who = await person();
    await call('Otp.OCRA_Register', { dn: who.dn, key });
    expect(await logIn(who, { password })).toMatchObject({ factor: 'TOKEN', question: expect.any(String) });
    await call('Otp.List_Register', { dn: who.dn });
    await call('Set_User_Settings', { dn: who.dn, settings: { 'Otp.OTPType': 'LIST' } });
    expect(await logIn(who, { password })).toMatchObject({ factor: 'LIST', question: undefined });
    const nobody = { settings: 'LoginMode=OTP', source: '198.51.100.10' };
    expect(await logIn({ username: 'nobody' }, nobody)).toMatchObject({
      factor: 'TOKEN',
      question: undefined,
    });
  });

  it('uses up no second code once it is answered', async () => {
    const who = await person();
    await call('Otp.HOTP_Register', { dn: who.dn, key });
    const session = sessionOf(await logIn(who, { password }));
    const answers = [0, 1].map((counter) => answer(who, session, codeAt(counter)));
    const settled = await Promise.allSettled(answers);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await call('Otp.User_Tokens', { dn: who.dn })).toMatchObject([{ state: '1' }]);
    expect(await logIn(who, { password, otp: codeAt(1) })).toMatchObject({ kind: 'granted' });
  });
});

describe('a right code', () => {
  it('is refused, and stays good, while the directory knows another store', async () => {
    const who = await person();
    await call('Otp.TOTP_Register', { dn: who.dn, key });
    const refusal = new ServiceError('unavailable', { detail: 'the directory knows another store' });
    node.clock.advance(30_000);
    const shown = { password, otp: totp() };
    const assure = () => Promise.reject(refusal);
    await expect(logIn(who, shown, { storeBindings: { assure } })).rejects.toThrow(refusal);
    expect(await logIn(who, shown)).toMatchObject({ kind: 'granted' });
  });

  it('is refused once another login has used it, and costs the source a failure', async () => {
    const who = await person({ MaxTries: '1000' });
    await call('Otp.TOTP_Register', { dn: who.dn, key });
    const [here, there] = ['198.51.100.1', '198.51.100.2'];
    for (const source of [here, there]) {
      node.clock.advance(30_000);
      expect(await logIn(who, { password, otp: totp(), source })).toMatchObject({ kind: 'granted' });
    }
    node.clock.advance(3_600_000);
    for (const source of [here, there]) await logIn(who, { password: 'wrong', source });
    await logIn(who, { password: 'wrong', source: here });
    const claim = `token:${tokenKey({ type: 'TOTP', secret }, node.ports.keys)}:30`;
    const assure = async () => void (await node.ports.store.claim(claim, step(), 60));
    const shown = { password, otp: totp(), source: there };
    expect(await logIn(who, shown, { storeBindings: { assure } })).toMatchObject({ kind: 'refused' });
    expect(lastText()).toBe('refused: another login was faster with the same code');
    const owed: number[] = [];
    for await (const some of node.ports.ephemeral.family('bucket'))
      owed.push(...some.map(({ value }) => JSON.parse(Buffer.from(value).toString()).owed));
    expect(owed).toEqual([6000, 6000]);
  });
});

/** Where the wrong codes of the Yubikey are counted. */
const cloudWrongCodes = () =>
  wrongCodesKey(tokenKey({ type: 'YUBICLOUD', secret: fromModhex('dteffuje') ?? secret }, node.ports.keys));

it('a code that no verification server judges fails as a fault of the service, and counts for nothing', async () => {
  const who = await person();
  verdict = 'good';
  await call('Otp.Yubicloud_Register', { dn: who.dn, otp: cloudOtp('c') });
  verdict = 'none';
  const shown = { password, otp: cloudOtp('d') };
  await expect(logIn(who, shown)).rejects.toMatchObject({ reason: 'unavailable' });
  const words = 'refused: no verification server has judged the code';
  expect([node.countEvents(words), JSON.stringify(node.log.lines).includes(words)]).toEqual([0, true]);
  expect(await call('Otp.Block_Check', { dn: who.dn })).toMatchObject({ codes: 0 });
  verdict = 'good';
  expect(await logIn(who, shown)).toMatchObject({ kind: 'granted' });
});

describe('a code that the verification server does not know', () => {
  it.each([
    ['after a password', 'LDAPOTP', { password }, 'password right, ', true],
    ['alone', 'OTP', {}, '', false],
  ])('is logged and counted %s', async (_, LoginMode, shown, before, isDisabled) => {
    const who = await person({ LoginMode, MaxTries: '1000' });
    verdict = 'good';
    await call('Otp.Yubicloud_Register', { dn: who.dn, otp: cloudOtp('c') });
    verdict = 'wrong';
    const { value, seconds } = wrongCodesRecord({ wrong: 99, asSecondFactor: 99 });
    await node.ports.store.put(cloudWrongCodes(), value, seconds);
    expect(await logIn(who, { ...shown, otp: cloudOtp('b') })).toMatchObject({ kind: 'refused' });
    const texts = node
      .events()
      .slice(-2)
      .map(({ text }) => text);
    expect(texts.join()).toContain(`refused: ${before}the verification server knows no such code`);
    expect(texts.join().includes('token 1 is disabled')).toBe(isDisabled);
  });
});
