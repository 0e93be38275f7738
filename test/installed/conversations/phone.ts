/** Questions to the phone: confirm, sign a PDF, seal, and a login by QR code; a refusal, and an answer that is sent twice. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { Phone } from '../../../packages/core/src/testing/bed/engines/phone.ts';
import { emptyPdf } from '../empty-pdf.ts';
import type { Conversation, Person, Stand } from './stand.ts';

const run = promisify(execFile);

const phoneOf = (stand: Stand, { secret, username }: Person) =>
  new Phone(
    secret,
    async (body) => {
      const request = {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      };
      return Object(await (await stand.send(`${stand.addresses.ws}otp/transaction`, request)).json());
    },
    `Default\\${username}`,
  );

const sessionOf = (answer: object): string => String(Reflect.get(answer, 'session'));

export const phone: Conversation = {
  about: ['Otp', 'QrAuth'],
  tests: (stand) => {
    it('tells the site what the phone says, once, and refuses an answer that is sent again', async () => {
      const { otp } = stand().web;
      const person = await stand().person('confirm');
      const device = phoneOf(stand(), person);
      const ask = { username: person.username, data: 'Pay 100 EUR to ACME?', async: true };
      const session = sessionOf(await otp.normalConfirm(ask));
      const seen = await device.look(session);
      expect(seen).toMatchObject({ data: ask.data });
      expect(await otp.checkConfirm({ session })).toMatchObject({ code: 2 });
      expect(await device.say('confirm', session, seen)).toMatchObject({ code: 1 });
      expect(await otp.checkConfirm({ session })).toMatchObject({ code: 1 });
      expect(await device.say('refuse', session, seen)).toMatchObject({ code: 0 });
      expect(await otp.checkConfirm({ session })).toMatchObject({ code: 1 });
      const refused = sessionOf(await otp.normalConfirm(ask));
      await device.say('refuse', refused);
      expect(await otp.checkConfirm({ session: refused })).toMatchObject({ code: 0 });
    });

    it('signs a PDF that the phone confirms, and none that it refuses', async () => {
      const { otp } = stand().web;
      const person = await stand().person('sign');
      const device = phoneOf(stand(), person);
      const ask = { username: person.username, file: emptyPdf(), async: true };
      const session = sessionOf(await otp.normalSign(ask));
      expect(await device.say('confirm', session)).toMatchObject({ code: 1 });
      const answer = await otp.checkSign({ session });
      const signed = join(stand().folder, 'by-phone.pdf');
      await writeFile(signed, Buffer.from(String(Reflect.get(answer, 'file')), 'base64'));
      const { stdout } = await run('pdfsig', ['-nocert', signed]);
      expect(stdout).toContain('Signature Validation: Signature is Valid.');
      const refused = sessionOf(await otp.normalSign(ask));
      await device.say('refuse', refused);
      const none = await otp.checkSign({ session: refused });
      expect([none.code, Reflect.get(none, 'file')]).toEqual([0, undefined]);
    });

    it('seals a file so that openssl verifies it, and finds a change', async () => {
      const file = Buffer.from('The contract.\n');
      const sealed = await stand().web.otp.seal({ file, client: 'archive' });
      const text = Buffer.from(String(Reflect.get(sealed, 'file')), 'base64');
      const verify = async (name: string, cms: Buffer) => {
        await writeFile(join(stand().folder, name), cms);
        const from = ['-inform', 'DER', '-in', join(stand().folder, name)];
        const trust = ['-CAfile', stand().caFile, '-purpose', 'any'];
        return (await run('openssl', ['cms', '-verify', ...from, ...trust])).stdout;
      };
      expect((await verify('sealed.p7m', text)).replaceAll('\r', '')).toBe(file.toString());
      const changed = Buffer.from(text);
      changed[text.indexOf('contract')] = 'K'.charCodeAt(0);
      await expect(verify('changed.p7m', changed)).rejects.toThrow();
    });

    it('logs in by a QR code, once, and not in a session that was canceled', async () => {
      const { qrauth } = stand().web;
      const person = await stand().person('qrauth');
      const device = phoneOf(stand(), person);
      const session = sessionOf(await qrauth.start({ inputText: 'Log in to the shop' }));
      expect(await qrauth.check({ session })).toMatchObject({ code: 2 });
      expect(await device.say('confirm', session)).toMatchObject({ code: 1 });
      const ldapPassword = person.password;
      expect(await qrauth.check({ session, ldapPassword })).toMatchObject({ code: 1, username: 'qrauth' });
      expect(await qrauth.check({ session, ldapPassword })).toMatchObject({ code: 0 });
      const canceled = sessionOf(await qrauth.start({ inputText: 'Log in to the shop' }));
      expect(await qrauth.cancel({ session: canceled })).toMatchObject({ code: 1 });
      expect(await device.say('confirm', canceled)).toMatchObject({ code: 0 });
      expect(await qrauth.check({ session: canceled, ldapPassword })).toMatchObject({ code: 0 });
    });
  },
};
