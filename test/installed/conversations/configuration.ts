/** Settings that are changed at run time: in force at the other server, refused, put back, and gone back to by a command. */
import { expect, it } from 'vitest';
import type { Conversation, Stand } from './stand.ts';

/** Asks the service of SSH keys, which no other conversation is about to change. @returns the HTTP status */
async function askSshKeys({ addresses, send }: Stand): Promise<number> {
  return (await send(new URL('sshkey/json/sshkeyStatus/', addresses.ws).href)).status;
}

export const configuration: Conversation = {
  about: [],
  tests: (stand) => {
    it('demands an API key at the other server from the next request on, and goes back by a command', async () => {
      const { manager, run } = stand();
      expect(await askSshKeys(stand())).toBe(200);
      const demanding = { websrvs: { sshkey: { require: 'api_key' } } };
      const { version } = await manager.Set_Config({ settings: demanding, comment: 'conversation' });
      expect(await askSshKeys(stand())).toBe(401);
      await expect(manager.Set_Config({ settings: demanding, version: version - 1 })).rejects.toMatchObject({
        reason: 'already_exists',
      });
      await expect(manager.Set_Config({ settings: { data: '/tmp' } })).rejects.toThrow(
        /cannot be changed at run time/,
      );
      const file = ['--config', 'watchword.yaml'];
      const shown = await run('watchword-manager', 'config', ...file);
      expect(shown).toMatchObject({ code: 0, output: expect.stringContaining('require: api_key') });
      const history = await run('watchword-manager', 'config', '--history', ...file);
      expect(history.output).toContain('(conversation): websrvs.sshkey');
      const restored = await run('watchword-manager', 'config', '--restore', '0', ...file);
      expect(restored).toMatchObject({
        code: 0,
        output: expect.stringContaining('is in force: websrvs.sshkey.'),
      });
      expect(await askSshKeys(stand())).toBe(200);
    });

    it('applies a file with settings, and keeps secrets sealed', async () => {
      const { manager, run, write } = stand();
      await write(
        'settings.yaml',
        'mail: {type: smtp, host: mail.example.org, from: a@example.org, user: u, password: s3cret-of-mail}\n',
      );
      const file = ['--config', 'watchword.yaml'];
      const applied = await run('watchword-manager', 'apply', 'settings.yaml', ...file);
      expect(applied).toMatchObject({ code: 0, output: expect.stringContaining('is in force: mail') });
      const shown = JSON.stringify([await manager.Get_Config(), await manager.List_Config()]);
      expect(shown).not.toContain('s3cret-of-mail');
      expect((await run('watchword-manager', 'config', ...file)).output).not.toContain('s3cret-of-mail');
      await write('settings.yaml', 'restt_get: false\n');
      expect(await run('watchword-manager', 'apply', 'settings.yaml', ...file)).toMatchObject({
        code: 1,
        errors: expect.stringMatching(/restt_get is not a known key/),
      });
      await run('watchword-manager', 'config', '--restore', '0', ...file);
    });
  },
};
