import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeSentCode } from '../authenticators/sent-code.ts';
import { KeptSender } from '../messaging/testing/kept-sender.ts';
import type { Mail, Sms } from '../ports/sending/sender.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';

let node: Fixture;
const sms = new KeptSender<Sms>();
const mail = new KeptSender<Mail>();

beforeAll(async () => {
  node = await openFixture({
    config: { settings: { 'Otp.OTPType': 'SMS', 'Otp.OTPFallback': 'MAIL' } },
    ports: () => ({ senders: { sms, mail } }),
  });
  const { alice, bob } = node.users;
  await node.call('Activate_LDAP_Object', { dn: alice.dn });
  await node.call('Activate_LDAP_Object', { dn: bob.dn });
  await node.call('Set_User_Attrs', {
    dn: alice.dn,
    attrs: { mobile: ['no number', '+49 (151) 234-5678'], preferredlanguage: 'de-AT, en;q=0.5' },
  });
});
afterAll(() => node.close());
beforeEach(async () => {
  for (const { dn } of Object.values(node.users)) await node.call('Otp.Block_Reset', { dn });
});

const otp = () => node.service.web.otp;
const begin = (more: object = {}) => {
  const { username, password } = node.users.alice;
  return otp().normalLogin({ username, ldapPassword: password, ...more });
};
const answer = (session: string | undefined, otpPassword: string, username = 'alice') =>
  otp().challenge({ username, session, otpPassword });
const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? 'none';
/** Begins a login, and waits for its code. */
async function asked(more: object = {}) {
  const count = sms.taken.length + 1;
  const { session, ...challenge } = (await begin(more)) as { session?: string; code: number };
  const message = await sms.message(count);
  return { session, challenge, message, code: codeIn(message.text) };
}

describe('a code by SMS', () => {
  it('logs in who has the phone, once', async () => {
    const { session, challenge, message, code } = await asked();
    expect(challenge).toMatchObject({ code: 2, message: 'Enter your SMS password', otpChallenge: 'SMS' });
    expect(message).toMatchObject({ to: '+491512345678', isFlash: false });
    expect(message.text).toBe(`Ihr Anmeldecode ist ${code}. Er gilt 1 Min.`);
    expect(await answer(session, '000000')).toMatchObject({ code: 0, error: 'AuthFailed' });
    expect(await answer(session, code)).toMatchObject({ code: 1, message: 'Authentication success' });
    expect(await answer(session, code)).toMatchObject({ code: 0, error: 'NoSession' });
    expect(await begin({ otpPassword: code })).toMatchObject({ code: 0, error: 'AuthFailed' });
  });

  it('is not sent where the password is wrong', async () => {
    const { tries } = sms;
    expect(await begin({ ldapPassword: 'wrong' })).toMatchObject({ code: 0, error: 'AuthFailed' });
    expect(sms.tries).toBe(tries);
  });

  it('is good for the session that asked for it, and a new one replaces it', async () => {
    const first = await asked();
    const second = await asked();
    expect(await answer(first.session, second.code)).toMatchObject({ code: 0 });
    expect(await answer(second.session, first.code)).toMatchObject({ code: 0 });
    expect(await answer(first.session, first.code)).toMatchObject({ code: 0 });
    expect(await answer(second.session, second.code)).toMatchObject({ code: 1 });
  });

  it('has another digest in another session when the codes are equal', () => {
    const { core } = node;
    const random = { bytes: (count: number) => new Uint8Array(count) };
    const [one, two] = ['ABCDEFGHJKLMNPQR', 'ABCDEFGHJKLMNPQS'].map((session) => {
      const purpose = { kind: 'SMS', session, source: 'anywhere', seconds: 60 } as const;
      return makeSentCode({ id: 'alice', settings: new Map() }, purpose, { random, keys: core.keys });
    });
    expect(one?.code).toBe(two?.code);
    expect(one?.sent.digest).not.toBe(two?.sent.digest);
  });

  it('lets nobody elsewhere end it by asking for another', async () => {
    const first = await asked({ source: '192.0.2.7' });
    await asked({ source: '192.0.2.8' });
    expect(await answer(first.session, first.code)).toMatchObject({ code: 1 });
  });

  it('lets one of a hundred in who show it at the same time', async () => {
    const { session, code } = await asked();
    const answers = await Promise.all(Array.from({ length: 100 }, () => answer(session, code)));
    expect(answers.filter((one) => one.code === 1)).toHaveLength(1);
  });

  it('is good as long as its session, and for ten minutes at most', async () => {
    const settings = { 'Otp.ChallengeTimeout': '86400' };
    await node.call('Set_User_Settings', { dn: node.users.alice.dn, settings });
    const { session, code, challenge } = await asked();
    expect(challenge).toMatchObject({ timeout: 600 });
    node.clock.advance(601_000);
    expect(await answer(session, code)).toMatchObject({ code: 0, error: 'NoSession' });
    await node.call('Set_User_Settings', {
      dn: node.users.alice.dn,
      settings: { 'Otp.ChallengeTimeout': null },
    });
  });

  it('is as long as OTPLength, and shown at once where SMSType says so', async () => {
    const settings = { 'Otp.OTPLength': '8', 'Otp.SMSType': 'Flash' };
    await node.call('Set_User_Settings', { dn: node.users.alice.dn, settings });
    const { session, message } = await asked();
    const [code = ''] = /\d{8}/.exec(message.text) ?? [];
    expect(message.isFlash).toBe(true);
    expect(await answer(session, code)).toMatchObject({ code: 1 });
    await node.call('Set_User_Settings', {
      dn: node.users.alice.dn,
      settings: { 'Otp.OTPLength': null, 'Otp.SMSType': null },
    });
  });

  it('stands in no log, and the number does', async () => {
    const { session, code } = await asked();
    expect(await answer(session, code)).toMatchObject({ code: 1 });
    await expect.poll(() => node.countEvents('SMS to +491512345678: sent')).toBeGreaterThan(0);
    const all = JSON.stringify([node.events(), node.log.lines]);
    expect(all).not.toContain(code);
    const sent = node.events().find(({ text }) => text.startsWith('SMS to'));
    expect(sent).toMatchObject({ application: 'Otp', dn: node.users.alice.dn });
  });

  it('is kept as nothing that could be read', async () => {
    sms.before = () => new Promise(() => {});
    const { tries } = sms;
    const { session } = (await begin()) as { session?: string };
    await sms.until(() => sms.tries > tries);
    const kept: string[] = [];
    for (const family of ['challenge', 'sent', 'outbox'])
      for await (const some of node.ports.store.family(family))
        kept.push(...some.map(({ value }) => Buffer.from(value).toString('latin1')));
    expect(kept.length).toBeGreaterThanOrEqual(3);
    expect(kept.join(' ')).not.toMatch(/Anmeldecode|151234/);
    expect(kept.join(' ')).not.toContain(session);
    sms.before = () => {};
  });
});

describe('a code by mail', () => {
  it('goes to who has no number, in the language that is preset', async () => {
    const { username, password } = node.users.bob;
    const count = mail.taken.length + 1;
    const challenge = await otp().normalLogin({ username, ldapPassword: password });
    expect(challenge).toMatchObject({ code: 2, message: 'Enter your MAIL password', otpChallenge: 'MAIL' });
    const message = await mail.message(count);
    expect(message).toMatchObject({ to: 'bob@example.org', subject: 'Your login code', attachments: [] });
    const { session } = challenge as { session?: string };
    expect(await answer(session, codeIn(message.text), 'bob')).toMatchObject({ code: 1 });
  });
});

describe('SecureMail', () => {
  it('has the mail encrypted for the certificate of the entry, where it has one', async () => {
    const { bob } = node.users;
    const { username, password } = bob;
    await node.call('Set_User_Settings', { dn: bob.dn, settings: { 'Otp.SecureMail': true } });
    const send = async () => {
      const count = mail.taken.length + 1;
      await otp().normalLogin({ username, ldapPassword: password });
      return mail.message(count);
    };
    expect((await send()).certificate).toBeUndefined();
    const certificate = new X509Certificate(node.authority.certificate);
    const attrs = { usercertificate: [certificate.raw.toString('base64')] };
    await node.call('Set_User_Attrs', { dn: bob.dn, attrs });
    const sent = (await send()).certificate;
    expect(sent).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(sent ?? [])).toEqual(certificate.raw);
    await node.call('Set_User_Settings', { dn: bob.dn, settings: { 'Otp.SecureMail': null } });
  });
});

describe('Otp.User_Methods', () => {
  it('names what is sent, where it reaches the user', async () => {
    const methods = async (dn: string) => (await node.call('Otp.User_Methods', { dn })).result;
    const { alice, bob } = node.users;
    expect(await methods(alice.dn)).toEqual(['SMS', 'MAIL']);
    expect(await methods(bob.dn)).toEqual(['MAIL']);
    await node.call('Set_User_Settings', { dn: alice.dn, settings: { 'Otp.OTPFallback': 'LIST' } });
    expect(await methods(alice.dn)).toEqual(['SMS']);
    await node.call('Set_User_Settings', { dn: alice.dn, settings: { 'Otp.OTPFallback': null } });
  });
});

describe('BlockNotify', () => {
  it('tells the user by mail when failures begin to refuse it, once for each refusal', async () => {
    const { alice } = node.users;
    await node.call('Set_User_Settings', { dn: alice.dn, settings: { 'Otp.BlockNotify': true } });
    const count = mail.taken.length + 1;
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) await begin({ ldapPassword: 'wrong' });
    const message = await mail.message(count);
    expect(message).toMatchObject({ to: 'alice@example.org', subject: 'Ihr Konto ist gesperrt' });
    expect(message.text).toMatch(/Bis 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)/);
    await node.call('Otp.Block_Reset', { dn: alice.dn });
    await expect.poll(() => node.countEvents('Mail to alice@example.org: sent')).toBe(1);
    expect(mail.taken).toHaveLength(count);
    await node.call('Set_User_Settings', { dn: alice.dn, settings: { 'Otp.BlockNotify': null } });
  });
});

describe('a code where no password is wanted', () => {
  it('is asked of everybody, and sent to who is there', async () => {
    const other = await node.another({
      config: { settings: { 'Otp.OTPType': 'SMS', 'Otp.LoginMode': 'OTP' } },
      ports: () => ({ senders: { sms } }),
    });
    const count = sms.taken.length + 1;
    const known = await other.service.web.otp.normalLogin({ username: 'alice' });
    const unknown = await other.service.web.otp.normalLogin({ username: 'nobody' });
    const fields = (one: object) => ({ ...one, session: '' });
    expect(fields(known)).toEqual(fields(unknown));
    const message = await sms.message(count);
    expect(sms.taken).toHaveLength(count);
    const { session } = known as { session?: string };
    const right = { username: 'alice', session, otpPassword: codeIn(message.text) };
    expect(await other.service.web.otp.challenge(right)).toMatchObject({ code: 1 });
    await other.close();
  });
});

describe('a budget', () => {
  it('stops what is sent to a user in a day, half of it where no password was shown', async () => {
    const messages = { sms: { user_a_day: 4 } };
    const settings = { 'Otp.OTPType': 'SMS', 'Otp.LoginMode': 'OTP' };
    const single = await node.another({
      config: { messages, settings },
      ports: () => ({ senders: { sms } }),
    });
    node.clock.advance(2 * 86_400_000);
    const before = sms.taken.length;
    for (const _ of [1, 2, 3]) {
      const answered = await single.service.web.otp.normalLogin({ username: 'alice' });
      expect(answered).toMatchObject({ code: 2 });
    }
    await sms.message(before + 2);
    const afterPassword = await node.another({
      config: { messages, settings: { 'Otp.OTPType': 'SMS' } },
      ports: () => ({ senders: { sms } }),
    });
    const { username, password } = node.users.alice;
    const codes: number[] = [];
    for (const _ of [1, 2, 3, 4, 5])
      codes.push(
        (await afterPassword.service.web.otp.normalLogin({ username, ldapPassword: password })).code ?? -1,
      );
    expect(codes).toEqual([2, 2, 2, 2, 0]);
    await sms.message(before + 6);
    expect(sms.taken).toHaveLength(before + 6);
    expect(node.countEvents('nothing was sent: the budget of the user is used up')).toBe(1);
    await single.close();
    await afterPassword.close();
  });

  it('once used up, leaves a challenge where no password was shown, and none where one was', async () => {
    const [settings, kept] = [{ 'Otp.OTPType': 'SMS' }, node.ports.store];
    const challenges = async () => {
      let count = 0;
      for await (const some of kept.family('challenge')) count += some.length;
      return count;
    };
    const open = (more: Record<string, string>) =>
      node.another({
        config: { messages: { sms: { user_a_day: 1 } }, settings: { ...settings, ...more } },
        ports: () => ({ senders: { sms } }),
      });
    const [single, afterPassword] = [await open({ 'Otp.LoginMode': 'OTP' }), await open({})];
    node.clock.advance(2 * 86_400_000);
    const { username, password } = node.users.alice;
    const count = sms.taken.length + 1;
    expect(
      await afterPassword.service.web.otp.normalLogin({ username, ldapPassword: password }),
    ).toMatchObject({
      code: 2,
    });
    await sms.message(count);
    const before = await challenges();
    expect(
      await afterPassword.service.web.otp.normalLogin({ username, ldapPassword: password }),
    ).toMatchObject({
      code: 0,
    });
    expect(await challenges()).toBe(before);
    await single.service.web.otp.normalLogin({ username });
    const { session } = { session: '', ...(await single.service.web.otp.normalLogin({ username })) };
    expect(await challenges()).toBe(before + 2);
    const answered = await single.service.web.otp.challenge({ username, session, otpPassword: '000000' });
    expect(answered).toMatchObject({ code: 0, error: 'AuthFailed' });
    await single.close();
    await afterPassword.close();
  });
});

describe('a user whom nothing can be sent to', () => {
  it('is refused behind a right password, and the log says why', async () => {
    const only = await node.another({
      config: { settings: { 'Otp.OTPType': 'SMS' } },
      ports: () => ({ senders: { sms } }),
    });
    const { username, password } = node.users.bob;
    const refused = await only.service.web.otp.normalLogin({ username, ldapPassword: password });
    expect(refused).toMatchObject({ code: 0, error: 'AuthFailed' });
    expect(node.countEvents('the user has no second factor')).toBe(1);
    await only.close();
  });
});

describe('without a gateway', () => {
  it('nobody can be told to use it', async () => {
    const bare = await node.another();
    const { error } = await bare.call('Set_User_Settings', {
      dn: node.users.bob.dn,
      settings: { 'Otp.OTPType': 'SMS' },
    });
    expect(error).toMatchObject({
      code: -32602,
      data: expect.stringContaining('cannot be SMS: no gateway for sms is configured'),
    });
    await bare.close();
    await expect(
      node.another({
        config: { settings: { 'Otp.OTPFallback': 'MAIL' } },
        ports: () => ({ senders: { sms } }),
      }),
    ).rejects.toThrow('cannot be MAIL: no gateway for mail is configured');
  });
});
