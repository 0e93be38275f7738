/** The services sso, sshkey and sms, each with a refusal, and with a session, a use and a code that come again. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type Conversation, smsAccount } from './stand.ts';

const run = promisify(execFile);

export const services: Conversation = {
  about: ['Sso', 'SshKey', 'Sms'],
  tests: (stand) => {
    it('keeps a single sign-on session until it is stopped, and begins none for a stranger', async () => {
      const { sso } = stand().web;
      const { username } = await stand().person('sso');
      const begun = await sso.start({ username, data: 'language=de' });
      const session = String(Reflect.get(begun, 'session'));
      expect(await sso.check({ session })).toMatchObject({ code: 1, data: 'language=de' });
      expect(await sso.stop({ session })).toMatchObject({ code: 1 });
      expect(await sso.check({ session })).toMatchObject({ code: 0, error: 'NoSession' });
      expect(await sso.stop({ session })).toMatchObject({ code: 0, error: 'NoSession' });
      expect(await sso.start({ username: 'nobody' })).toMatchObject({ code: 0 });
    });

    it('gives sshd the key of a user until its uses are used up, and no key of a stranger', async () => {
      const { manager, web } = stand();
      const { dn, username } = await stand().person('ssh');
      const file = join(stand().folder, 'id_ed25519');
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'laptop', '-f', file]);
      const pubkey = (await readFile(`${file}.pub`, 'utf8')).trim();
      expect(await manager.SshKey.Key_Import({ dn, pubkey, maxuse: 1 })).toBe(1);
      const keys = await web.sshkey.authorizedKeys({ username });
      expect(keys).toMatchObject({
        code: 1,
        publicKeys: expect.stringContaining(pubkey.split(' ')[1] ?? ''),
      });
      const start = { username, identity: username, server: 'host1' };
      expect(await web.sshkey.sessionStart(start)).toMatchObject({ code: 1 });
      expect(await web.sshkey.authorizedKeys({ username })).toMatchObject({ publicKeys: '' });
      expect((await web.sshkey.sessionStart(start)).code).not.toBe(1);
      const stranger = await web.sshkey.authorizedKeys({ username: 'nobody' });
      expect(stranger).toMatchObject({ code: 1, publicKeys: '' });
    });

    it('keeps what an SSH session shows until it is removed, and shows it of no other user', async () => {
      const { manager, web } = stand();
      const [user, other] = [await stand().person('recorded'), await stand().person('unrecorded')];
      const { dn, username } = user;
      await manager.SshKey.Key_Register({ dn, type: 'ED25519' });
      await manager.Set_User_Settings({ dn, settings: { 'SshKey.RecordSessions': 'Yes' } });
      const begun = await web.sshkey.sessionStart({ username, server: 'host1' });
      const session = String(Reflect.get(begun, 'session'));
      const data = Buffer.from('top secret');
      expect(await web.sshkey.sessionUpdate({ session, data })).toMatchObject({ code: 1 });
      expect(await web.sshkey.sessionUpdate({ session, stop: true })).toMatchObject({ code: 1 });
      expect(await web.sshkey.sessionUpdate({ session, data })).toMatchObject({
        code: 0,
        error: 'NoSession',
      });
      const [recording] = await manager.SshKey.User_Recordings({ dn });
      const id = recording?.id ?? '';
      const shown = await manager.SshKey.Recording_Get({ dn, id });
      expect(Buffer.from(shown.data, 'base64')).toEqual(data);
      const missing = { reason: 'not_found' };
      await expect(manager.SshKey.Recording_Get({ dn: other.dn, id })).rejects.toMatchObject(missing);
      expect(await manager.SshKey.Recording_Remove({ dn, id })).toBe(1);
      await expect(manager.SshKey.Recording_Get({ dn, id })).rejects.toMatchObject(missing);
    });

    it('sends an SMS for its account only, and a code by SMS that is good once', async () => {
      const { sms, otp } = stand().web;
      const message = { mobile: ['+491701234567'], text: 'Your parcel is here.' };
      const account = { ...smsAccount, password: stand().smsPassword };
      expect(await sms.send({ ...account, ...message })).toMatchObject({ code: 1 });
      expect(await stand().message(/Your parcel is here\./)).toBeTruthy();
      expect(await sms.send({ ...account, password: 'wrong', ...message })).toMatchObject({ code: 0 });
      const { username, password: ldapPassword } = await stand().person('sms', { 'Otp.OTPType': 'SMS' });
      const begun = await otp.normalLogin({ username, ldapPassword });
      const session = String(Reflect.get(begun, 'session'));
      const sent = await stand().message(/Your login code is \d+/);
      const otpPassword = sent.replace(/\D/g, '');
      expect(await otp.challenge({ username, session, otpPassword })).toMatchObject({ code: 1 });
      expect(await otp.challenge({ username, session, otpPassword })).toMatchObject({ code: 0 });
    });
  },
};
