import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ServiceError } from '../foundation/errors/errors.ts';
import { totp } from '../foundation/oath/totp.ts';
import { KeptSender } from '../messaging/testing/kept-sender.ts';
import type { Mail } from '../ports/sending/sender.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { KeptLog } from '../testing/kept-log.ts';

const key = Buffer.from('a secret of 20 bytes');
const secret = createSecretKey(key);
const mail = new KeptSender<Mail>();
const log = new KeptLog();
let node: Fixture;
beforeAll(async () => {
  node = await openFixture({
    config: { settings: { 'Otp.LoginMode': 'OTP', 'Otp.ExpireNotify': 'Yes' } },
    ports: () => ({ senders: { mail }, log }),
  });
  const { dn } = node.users.alice;
  await node.call('Activate_LDAP_Object', { dn });
  await node.call('Set_User_Attrs', { dn, attrs: { preferredlanguage: 'fr' } });
  await node.call('Otp.TOTP_Register', { dn, key: key.toString('base64') });
  await node.call('Otp.Expire_Start', { dn, expires: 30 });
});
afterAll(() => node.close());

const day = 86_400_000;
const logIn = async (): Promise<void> => {
  node.clock.advance(60_000);
  const otpPassword = totp({ secret, digits: 6, period: 30 }, node.clock.now());
  const answer = await node.service.web.otp.normalLogin({ username: 'alice', otpPassword });
  expect(answer).toMatchObject({ code: 1 });
};

it('a user is told by mail that the token expires within two weeks, once a week', async () => {
  await logIn();
  node.clock.advance(17 * day);
  await Promise.all([
    logIn(),
    node.service.web.otp.normalLogin({ username: 'alice', otpPassword: '000000' }),
  ]);
  const first = await mail.message(1);
  expect(first).toMatchObject({ to: 'alice@example.org', subject: 'Votre jeton expire bientôt' });
  expect(first.text).toMatch(/^Bonjour alice,\n\nLe jeton .* le 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)\./);
  await logIn();
  await logIn();
  node.clock.advance(7 * day);
  await logIn();
  await mail.message(2);
  await node.call('Set_User_Settings', {
    dn: node.users.alice.dn,
    settings: { 'Otp.ExpireNotify': false },
  });
  node.clock.advance(5 * day);
  await logIn();
  await expect.poll(() => node.countEvents('Mail to alice@example.org: sent')).toBe(2);
  expect(mail.taken).toHaveLength(2);
});

it('answers a login that is durable as granted when a consequence fails, and logs the error', async () => {
  await node.call('Set_User_Settings', { dn: node.users.alice.dn, settings: { 'Otp.ExpireNotify': true } });
  const swap = vi.spyOn(node.core.store, 'swap').mockRejectedValueOnce(new ServiceError('unavailable'));
  await logIn();
  expect(swap).toHaveBeenCalledWith(expect.stringMatching(/^expiry-told:/), expect.anything());
  expect(log.lines.filter(({ message }) => message === 'a consequence of a login failed')).toHaveLength(1);
  swap.mockRestore();
});
