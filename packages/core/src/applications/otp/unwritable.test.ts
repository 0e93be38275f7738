/**
 * A hundred wrong codes after a right password end a token also where the service may not write to the entry, and so
 * cannot mark it as disabled: the count alone keeps it from being tried.
 *
 * Seen to fail with the guard taken out: a token of a hundred wrong codes is tried all the same.
 */
import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { totp } from '../../foundation/oath/totp.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { readOnlyService } from '../../testing/read-only.ts';

const secret = Buffer.from('a secret of 20 bytes');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture({
    config: { settings: { 'Otp.MaxTries': '100000' }, limits: { login_failure_delay_ms: 0 } },
    ports: ({ directory }) => ({ directory: readOnlyService(directory) }),
  });
});
afterEach(() => fixture.close());

async function call(method: string, params: object): Promise<unknown> {
  const { result, error } = await fixture.call(method, params);
  if (error) throw new Error(`${method}: ${error.data}`);
  return result;
}

const logIn = async (otpPassword: string): Promise<unknown> => {
  const { username, password } = fixture.users.alice;
  const answer = await fixture.service.web.otp.normalLogin({ username, ldapPassword: password, otpPassword });
  return answer.code;
};

it('a token whose entry cannot be written is not tried any more, until an administrator enables it', async () => {
  const { dn } = fixture.users.alice;
  await call('Activate_LDAP_Object', { dn });
  await call('Otp.TOTP_Register', { dn, key: secret.toString('base64') });
  const right = () => totp(source, fixture.clock.now());
  expect(await logIn(right())).toBe(1);
  fixture.clock.advance(30_000);
  for (let n = 0; n < 100; n += 1) expect(await logIn('000000')).toBe(0);
  expect(fixture.countEvents('token 1 is disabled')).toBe(1);
  // The entry has it as before.
  expect(await call('Otp.User_Tokens', { dn })).toMatchObject([{ id: 1, enabled: true }]);
  expect(await logIn(right())).toBe(0);
  fixture.clock.advance(30_000);
  expect(await logIn(right())).toBe(0);
  await call('Otp.Token_Enable', { dn });
  expect(await logIn(right())).toBe(1);
});
