/** Clocks of tokens that were off, and are set right: nobody waits for a resynchronisation. */
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { totp } from '../foundation/oath/totp.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';

const key = Buffer.from('a secret of 20 bytes');
const step = 30_000;

let fixture: Fixture;
let password: string;
beforeEach(async () => {
  await fixture?.close();
  const settings = { 'Otp.LoginMode': 'LDAPOTP', 'Otp.TOTPTimeOffsetWindow': 90 };
  fixture = await openFixture({ config: { settings, limits: { login_failure_delay_ms: 0 } } });
  const { dn, password: own } = fixture.users.alice;
  password = own;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Otp.TOTP_Register', { dn, key: key.toString('base64') });
});
afterAll(() => fixture.close());

/** @param off steps that the clock of the token is ahead */
async function login(off: number): Promise<number> {
  const source = { secret: createSecretKey(key), digits: 6, period: 30 };
  const otpPassword = totp(source, fixture.clock.now() + off * step);
  const { code } = await fixture.service.web.otp.normalLogin({
    ...{ username: 'alice', ldapPassword: password, otpPassword },
  });
  return code;
}

const lastEvent = () => fixture.events().at(-1)?.text;

describe('a token', () => {
  it('that was behind lets in when its clock is right again', async () => {
    expect([await login(-2), await login(-1)]).toEqual([1, 1]);
    fixture.clock.advance(5 * step);
    expect(await login(-4)).toBe(1);
    expect(await login(0)).toBe(1);
    fixture.clock.advance(step);
    expect(await login(0)).toBe(1);
  });

  it('that was ahead lets in as soon as the time has come to where it was', async () => {
    expect(await login(3)).toBe(1);
    fixture.clock.advance(step);
    expect(await login(5)).toBe(1);
    fixture.clock.advance(6 * step);
    expect(await login(0)).toBe(1);
  });

  it('lets nobody in by a code twice, whichever window it is in', async () => {
    expect([await login(-3), await login(-3)]).toEqual([1, 0]);
    expect([await login(0), await login(0), await login(-3)]).toEqual([1, 0, 0]);
  });

  it.each([
    [-14, '420 s old, or the clock of the token behind'],
    [20, '600 s early, as the clock of the token is ahead'],
  ])('%d steps off is refused, and the event says how far', async (off, result) => {
    expect(await login(off)).toBe(0);
    expect(lastEvent()).toContain(`password right, wrong code, right for another moment: it is ${result}`);
  });

  it('further off is refused as wrong', async () => {
    expect(await login(70)).toBe(0);
    expect(lastEvent()).toMatch(/password right, wrong code$/);
  });
});
