/** What operators read: metrics, for listed addresses only, and the event log, which `audit verify` finds a change in. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { Conversation, Stand } from './stand.ts';

async function metrics(stand: Stand, localAddress: string): Promise<{ status: number; body: string }> {
  const url = new URL('metrics', stand.addresses.ws.replace('localhost', '127.0.0.1'));
  const sent = request(url, { ca: await readFile(stand.caFile), localAddress });
  sent.end();
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, body: await text(answer) };
}

export const operator: Conversation = {
  about: [],
  tests: (stand) => {
    it('shows metrics to a listed address, and to no other', async () => {
      const person = await stand().person('measured');
      const { username, password: ldapPassword } = person;
      await stand().web.otp.normalLogin({ username, ldapPassword, otpPassword: person.nextCode() });
      const shown = await metrics(stand(), '127.0.0.1');
      expect(shown).toMatchObject({
        status: 200,
        body: expect.stringMatching(/^watchword_logins_total\{.*\} \d/m),
      });
      expect(shown.body).toMatch(/^nodejs_version_info|^process_cpu/m);
      expect((await metrics(stand(), '127.0.0.2')).status).toBe(404);
    });

    it('exports an event log that verifies, and not once a line was changed or is there twice', async () => {
      await stand().person('on-record');
      const audit = (...args: string[]) => stand().run('watchword-manager', 'audit', ...args);
      const configuration = ['--config', 'watchword.yaml'];
      const key = await audit('key', ...configuration);
      const log = await audit('export', ...configuration);
      await stand().write('event-log.pem', key.output);
      const verify = async (name: string, lines: string) => {
        await stand().write(name, lines);
        return audit('verify', join(stand().folder, name), '--key', 'event-log.pem');
      };
      expect(await verify('events.jsonl', log.output)).toMatchObject({
        ...{ code: 0, output: expect.stringContaining('Whole and unchanged') },
      });
      const changed = log.output.replace('on-record', 'off-record');
      expect((await verify('changed.jsonl', changed)).code).toBe(1);
      const [first = '', ...rest] = log.output.split('\n');
      expect((await verify('twice.jsonl', [first, first, ...rest].join('\n'))).code).toBe(1);
    });
  },
};
