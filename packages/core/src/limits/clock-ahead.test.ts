/** Records of a clock that was a day ahead and is set back. Refusals and blocks: `limits/limits.test.ts`. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';

const day = 86_400_000;
const [secret, another] = [Buffer.from('a secret of 20 bytes'), Buffer.from('another secret of 20')];

let fixture: Fixture;
let dn: string;
let password: string;
beforeAll(async () => {
  const settings = { 'Otp.LoginMode': 'LDAPOTP' };
  fixture = await openFixture({
    config: {
      settings,
      manager_session: 300,
      limits: { login_failure_delay_ms: 0, challenges_per_minute: 2 },
    },
  });
  ({ dn, password } = fixture.users.alice);
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Otp.TOTP_Register', { dn, key: secret.toString('base64') });
});
afterAll(() => fixture.close());

/** RFC 6238 of the fixture's moment. */
function code(key: Uint8Array): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(Math.floor(fixture.clock.now() / 30_000)));
  const digest = createHmac('sha1', key).update(message).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const login = (otpPassword?: string) =>
  fixture.service.web.otp.normalLogin({
    ...{ username: 'alice', ldapPassword: password },
    ...(otpPassword !== undefined && { otpPassword }),
  });

/** Does something a day ahead, and sets the clock back. */
async function ahead<T>(work: () => Promise<T>): Promise<T> {
  fixture.clock.advance(day);
  const result = await work();
  fixture.clock.advance(-day);
  return result;
}

it('ends a challenge of that time', async () => {
  const begun = await ahead(() => login());
  const session = begun.code === 2 ? begun.session : '';
  const answer = { username: 'alice', session, otpPassword: code(secret) };
  expect(await fixture.service.web.otp.challenge(answer)).toMatchObject({ code: 0, error: 'NoSession' });
  const now = await login();
  const good = { ...answer, session: now.code === 2 ? now.session : '' };
  expect(await fixture.service.web.otp.challenge(good)).toMatchObject({ code: 1 });
});

it('ends an administrator’s session of that time, and keeps one of another node’s clock', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'Server_Status' };
  const begin = async () => {
    const { headers } = await fixture.answer({ body });
    return /=([0-9a-f]{32})/.exec(headers['set-cookie'] ?? '')?.[1] ?? '';
  };
  const use = async (cookie: string) => (await fixture.answer({ body, as: null, cookie })).status;
  const cookie = await ahead(begin);
  expect(cookie).not.toBe('');
  expect(await use(cookie)).toBe(401);
  fixture.clock.advance(5000);
  const skewed = await begin();
  fixture.clock.advance(-5000);
  expect(await use(skewed)).toBe(200);
});

it('ends a mobile session of that time', async () => {
  const begin = async () => (await fixture.call('Otp.Mobile_Session', { timeout: 60 })).result;
  const response = async (session: unknown) =>
    (await fixture.call('Otp.Mobile_Response', { session })).result;
  expect(await response(await ahead(begin))).toBe(0);
  expect(await response(await begin())).toBe(2);
});

it('a token that was used at that time waits for it, and another one is good at once', async () => {
  expect(await ahead(() => login(code(secret)))).toMatchObject({ code: 1 });
  fixture.clock.advance(60_000);
  expect(await login(code(secret))).toMatchObject({ code: 0 });
  await fixture.call('Otp.TOTP_Register', { dn, key: another.toString('base64') });
  expect(await login(code(another))).toMatchObject({ code: 1 });
  fixture.clock.advance(day + 60_000);
  await fixture.call('Otp.TOTP_Register', { dn, key: secret.toString('base64') });
  expect(await login(code(secret))).toMatchObject({ code: 1 });
});
