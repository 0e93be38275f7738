/** Both registration flows with the soft token of examples/soft-token: a scan, a wrong PIN, a used code. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Conversation, Stand } from './stand.ts';

const run = promisify(execFile);

/** Runs the soft token with an account of its own. @throws with what it complains of */
function openSoftToken(stand: Stand, name: string) {
  const account = join(stand.folder, `${name}.json`);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: stand.caFile };
  return async (...args: readonly string[]): Promise<string> => {
    const program = ['scripts/example.mjs', 'soft-token/soft-token.ts', ...args, '--account', account];
    return (await run(process.execPath, program, { env })).stdout.trim();
  };
}

async function scan(stand: Stand, username: string, terms: { session: string; key: string }) {
  const { manager, folder } = stand;
  const uri = await manager.Otp.TOTP_URI({ name: 'Example', userid: username, domain: 'Default', ...terms });
  const file = join(folder, `${username}.png`);
  const picture = await manager.Get_QRCode({ uri: String(uri), format: 'PNG', size: 5 });
  await writeFile(file, Buffer.from(picture, 'base64'));
  const softToken = openSoftToken(stand, username);
  await softToken('scan', file);
  return softToken;
}

const usedCode = (said: string) => /^Registration confirmed\. (\d{6}) is used up/.exec(said)?.[1] ?? '';

export const softToken: Conversation = {
  about: ['Otp'],
  tests: (stand) => {
    it('registers a token once the phone has confirmed the scan, and refuses the code of the scan', async () => {
      const { manager, web } = stand();
      const { dn, username, password: ldapPassword } = await stand().person('interactive');
      const key = await manager.Get_Random_Bytes({ length: 20 });
      const session = await manager.Otp.Mobile_Session({ timeout: 300 });
      const phone = await scan(stand(), username, { session, key });
      expect(await manager.Otp.Mobile_Response({ session })).toBe(2);
      const used = usedCode(await phone('confirm'));
      expect(await manager.Otp.Mobile_Response({ session })).toBe(1);
      expect(await manager.Otp.TOTP_Register({ dn, key, session })).toBe(1);
      expect(await web.otp.normalLogin({ username, ldapPassword, otpPassword: used })).toMatchObject({
        code: 0,
      });
      await expect(phone('confirm')).rejects.toThrow('Session not started or timedout');
    });

    it('attaches a registered token by the scan and its PIN, and refuses a wrong PIN', async () => {
      const { manager, web } = stand();
      const { dn, username, password: ldapPassword } = await stand().person('detached');
      const key = await manager.Get_Random_Bytes({ length: 20 });
      const session = await manager.Otp.Mobile_Session({ timeout: 300, pincode: '4711' });
      expect(await manager.Otp.TOTP_Register({ dn, key, session, id: 2 })).toBe(1);
      const phone = await scan(stand(), username, { session, key });
      await expect(phone('confirm', '--pincode', '4712')).rejects.toThrow('Invalid code');
      const used = usedCode(await phone('confirm', '--pincode', '4711'));
      expect(await manager.Otp.Mobile_Response({ session })).toBe(1);
      expect(await manager.Otp.User_Tokens({ dn })).toMatchObject([
        { id: 1 },
        { id: 2, model: 'Soft token' },
      ]);
      expect(await web.otp.normalLogin({ username, ldapPassword, otpPassword: used })).toMatchObject({
        code: 0,
      });
    });
  },
};
