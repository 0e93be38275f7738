/** FIDO2: a registration at the Manager and a login over REST, with answers of another page and answers that are sent twice. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { SecurityKey } from '../../../packages/core/src/testing/bed/engines/security-key.ts';
import type { Conversation } from './stand.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

export const securityKey: Conversation = {
  about: ['Otp'],
  tests: (stand) => {
    it('registers a device and logs in with it; answers of another page and used ones are refused', async () => {
      const { Otp } = stand().manager;
      const person = await stand().person('fido', { 'Otp.LoginMode': 'LDAPU2F' });
      const { dn, username, password: ldapPassword } = person;
      const key = new SecurityKey({ rpId: 'localhost', origin: 'https://localhost', hasCounter: true });
      const challenge = async (random: string) => {
        const options = await Otp.FIDO_Challenge({ username, domain: 'Default', random });
        return String(JSON.parse(String(options)).challenge);
      };
      const random = randomBytes(32).toString('base64');
      const made = base64(key.register(await challenge(random)));
      expect(await Otp.FIDO_Register({ dn, response: made, random, name: 'blue' })).toBe(1);
      const other = randomBytes(32).toString('base64');
      await challenge(other);
      await expect(Otp.FIDO_Register({ dn, response: made, random: other, id: 2 })).rejects.toThrow();
      const { web } = stand();
      const begin = async () => {
        const begun = await web.otp.normalLogin({ username, ldapPassword });
        if (begun.outcome !== 'challenge') throw new Error(begun.message);
        return { session: begun.session, asked: JSON.parse(begun.u2fChallenge ?? '{}') };
      };
      const first = await begin();
      const answer = (session: string, u2fResponse: string) =>
        web.otp.challenge({ username, session, u2fResponse });
      const phished = key.sign(first.asked.challenge, { origin: 'https://localhost.example' });
      expect(await answer(first.session, phished)).toMatchObject({ code: 0 });
      const signed = key.sign(first.asked.challenge);
      expect(await answer(first.session, signed)).toMatchObject({ code: 1 });
      expect(await answer(first.session, signed)).toMatchObject({ code: 0 });
      expect(await answer((await begin()).session, signed)).toMatchObject({ code: 0 });
      const withCode = { username, ldapPassword, otpPassword: person.nextCode() };
      expect((await web.otp.normalLogin(withCode)).code).not.toBe(1);
    });
  },
};
