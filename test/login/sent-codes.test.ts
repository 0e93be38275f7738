/** Codes that are sent on demand, on each directory: to the phone and to the mail address that the entry has. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeptSender } from '../../packages/core/src/messaging/testing/kept-sender.ts';
import type { Mail, Sms } from '../../packages/core/src/ports/sending/sender.ts';
import { directories, type Ground } from './directories.ts';
import { addPerson, dnOf, done } from './people.ts';

const userpassword = 'Correct-Horse-7';

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  const senders = { sms: new KeptSender<Sms>(), mail: new KeptSender<Mail>() };
  let ground: Ground;
  beforeAll(async () => {
    ground = await directories[directory]({}, senders);
    await addPerson(ground, 'ada', { userpassword, mail: 'ada@example.com', mobile: '+49 151 2345678' });
  });
  afterAll(() => ground.close());

  it.each([
    ['SMS', '+491512345678'],
    ['MAIL', 'ada@example.com'],
  ] as const)('a code by %s logs in once', async (type, to) => {
    const dn = dnOf(ground, 'ada');
    await done(ground, 'Set_User_Settings', { dn, settings: { 'Otp.OTPType': type } });
    const { otp } = ground.service.web;
    const begun = await otp.normalLogin({ username: 'ada', ldapPassword: userpassword });
    expect(begun).toMatchObject({ code: 2, otpChallenge: type });
    const message = await (type === 'SMS' ? senders.sms : senders.mail).message(1);
    expect(message.to).toBe(to);
    const otpPassword = /\b\d{6}\b/.exec(message.text)?.[0] ?? 'none';
    const session = begun.code === 2 ? begun.session : '';
    expect(await otp.challenge({ username: 'ada', session, otpPassword })).toMatchObject({ code: 1 });
    expect(await otp.challenge({ username: 'ada', session, otpPassword })).toMatchObject({ code: 0 });
  });
});
