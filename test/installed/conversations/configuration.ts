/** Settings that are changed at run time: in force at the other server, refused, applied from a file, and gone back to by a command. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Conversation, ownFile, type Stand } from './stand.ts';

const origin = 'https://pages.example.org';

/** Asks whether pages of the origin may call the web services, which no other conversation is about. */
async function mayCall({ addresses, send }: Stand): Promise<boolean> {
  const headers = { origin, 'access-control-request-method': 'POST' };
  const answer = await send(new URL('otp/json/otpStatus/', addresses.ws).href, {
    method: 'OPTIONS',
    headers,
  });
  return answer.headers.get('access-control-allow-origin') === origin;
}

/** One after the other: all change the same configuration. */
const inTurn = { concurrent: false };

const file = ['--config', 'watchword.yaml'];

export const configuration: Conversation = {
  about: [],
  tests: (stand) => {
    it(
      'serves a change at the other server from its next request on, and goes back by a command',
      inTurn,
      async () => {
        const { manager, run, write } = stand();
        expect(await mayCall(stand())).toBe(false);
        const listed = { ws_origins: [origin] };
        const { version } = await manager.Set_Config({ settings: listed, comment: 'conversation' });
        expect(await mayCall(stand())).toBe(true);
        await expect(
          manager.Set_Config({ settings: { ws_origins: null }, version: version - 1 }),
        ).rejects.toMatchObject({ reason: 'already_exists' });
        await expect(manager.Set_Config({ settings: { data: '/tmp' } })).rejects.toThrow(
          /cannot be changed at run time/,
        );
        const shown = await run('watchword-manager', 'config', ...file);
        expect(shown).toMatchObject({ code: 0, output: expect.stringContaining(`- ${origin}`) });
        const history = await run('watchword-manager', 'config', '--history', ...file);
        expect(history.output).toContain('(conversation): ws_origins');

        const gateway =
          '{type: smtp, host: mail.example.org, from: a@example.org, user: u, password: s3cret-of-mail}';
        await write('settings.yaml', `mail: ${gateway}\n`);
        const applied = await run('watchword-manager', 'apply', 'settings.yaml', ...file);
        expect(applied).toMatchObject({
          code: 0,
          output: expect.stringContaining('is in force: ws_origins, mail'),
        });
        expect(await mayCall(stand())).toBe(false);
        const answers = JSON.stringify([await manager.Get_Config(), await manager.List_Config()]);
        const printed = (await run('watchword-manager', 'config', ...file)).output;
        expect([answers, printed].join()).not.toContain('s3cret-of-mail');
        await write('settings.yaml', 'restt_get: false\n');
        expect(await run('watchword-manager', 'apply', 'settings.yaml', ...file)).toMatchObject({
          ...{ code: 1, errors: expect.stringMatching(/restt_get is not a known key/) },
        });

        const restored = await run('watchword-manager', 'config', '--restore', `${version}`, ...file);
        expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('is in force: mail') });
        expect(await mayCall(stand())).toBe(true);
        await run('watchword-manager', 'config', '--restore', '0', ...file);
        expect(await mayCall(stand())).toBe(false);
      },
    );

    it(
      'takes API keys from a file, refuses a wrong, an expired and a removed one, and makes none without a second factor',
      inTurn,
      async () => {
        const { addresses, manager, run, send, write } = stand();
        const secret = '0123456789abcdef0123456789abcdef01234567';
        const sha256 = createHash('sha256').update(secret).digest('hex');
        const statusWith = async (key: string) =>
          (
            await send(new URL('otp/json/otpStatus/', addresses.ws).href, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-api-key': key },
              body: '{}',
            })
          ).status;
        const ended = { sha256, owner: 'Conversation', expires: '2020-01-01 00:00:00' };
        await write('keys.yaml', JSON.stringify({ api_keys: { 2001: { sha256 }, 2002: ended } }));
        const applied = await run('watchword-manager', 'apply', 'keys.yaml', ...file);
        expect(applied).toMatchObject({ code: 0, errors: expect.not.stringContaining('ERROR') });
        const wrong = secret.replace('0', '1');
        const keys = [`2001_${secret}`, `2001_${wrong}`, `2002_${secret}`];
        expect(await Promise.all(keys.map(statusWith))).toEqual([200, 401, 401]);
        const listed = await manager.List_API_Keys({});
        expect(listed).toMatchObject([
          { id: '2001', layer: 'runtime', state: 'valid' },
          { id: '2002', owner: 'Conversation', state: 'expired' },
        ]);
        await expect(manager.Make_API_Key({ owner: 'Conversation' })).rejects.toThrow(/second factor/);
        await expect(manager.Revoke_API_Key({ id: 2001 })).rejects.toThrow(/second factor/);
        await run('watchword-manager', 'config', '--restore', '0', ...file);
        expect(await statusWith(`2001_${secret}`)).toBe(401);
      },
    );

    it(
      'reloads its file while everybody else goes on, and keeps the one before when it is wrong',
      inTurn,
      async () => {
        const { folder, reload, write } = stand();
        const before = await readFile(join(folder, ownFile), 'utf8');
        await write(ownFile, `${before}log_unknown_names: true\n`);
        expect(await reload()).toMatch(/configuration reloaded .*changed=\["log_unknown_names"\]/);
        await write(ownFile, `${before}log_unknown_name: true\n`);
        expect(await reload()).toMatch(/was not reloaded.*log_unknown_name is not a known key/);
        await write(ownFile, before);
        expect(await reload()).toMatch(/configuration reloaded .*changed=\["log_unknown_names"\]/);
      },
    );
  },
};
