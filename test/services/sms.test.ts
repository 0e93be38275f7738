/** Codes and messages of the service sms: every row over every door, beside both directories. */
import { scryptSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeScryptHash } from '../../packages/core/src/foundation/text/secret/scrypt-hash.ts';
import { KeptSender } from '../../packages/core/src/messaging/testing/kept-sender.ts';
import type { Sms } from '../../packages/core/src/ports/sending/sender.ts';
import { directories, type Ground } from '../login/directories.ts';
import { rowsOver } from '../login/people.ts';
import { type Door, doorNames, type Fields, openDoor, system } from './doors.ts';

const salt = Buffer.from('salt of a test.');
const [N, r, p] = [2 ** 14, 8, 1];
const hash = writeScryptHash({ ln: 14, r, p, salt, hash: scryptSync('portal-Pä55', salt, 32, { N, r, p }) });
const config = {
  trusted_callers: [system],
  sms_accounts: { portal: { hash } },
  messages: { sms: { a_day: 100_000, prefix_a_day: 100_000, user_a_day: 100_000, client_a_day: 100_000 } },
};

const sent = { code: 1, error: '', message: 'SMS send success' };
const authFailed = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid SMS request' };
const serverError = { code: 0, error: 'ServerError', message: 'Server Error' };
const right = {
  username: 'portal',
  password: 'portal-Pä55',
  mobile: ['+491512345678'],
  text: 'Grüße & <mehr> 山',
};
const plain = { text: 'Grüße & <mehr> 山', sender: undefined, isFlash: false };

interface Row {
  readonly title: string;
  readonly fields?: Fields;
  readonly answer: object;
  /** What goes out. */
  readonly out?: readonly object[];
}

const rows: readonly Row[] = [
  { title: 'one number', answer: sent, out: [{ ...plain, to: '+491512345678' }] },
  {
    ...{ title: 'several, each once', answer: sent },
    fields: { mobile: ['+491512345678', '+49 151 2345678', '+4915199999999'] },
    out: [
      { ...plain, to: '+491512345678' },
      { ...plain, to: '+4915199999999' },
    ],
  },
  {
    ...{ title: 'a flash with a sender', answer: sent, fields: { type: 'Flash', sender: 'Example 1' } },
    out: [{ ...plain, to: '+491512345678', isFlash: true, sender: 'Example 1' }],
  },
  {
    title: 'a source',
    answer: sent,
    fields: { source: '198.51.100.7', client: 'shop' },
    out: [{ ...plain, to: '+491512345678' }],
  },
  { title: 'a wrong password', answer: authFailed, fields: { password: 'wrong' } },
  { title: 'nobody', answer: authFailed, fields: { username: 'nobody' } },
  { title: 'no account', answer: authFailed, fields: { username: '', password: '' } },
  { title: 'no text', answer: badRequest, fields: { text: '' } },
  { title: 'a text of too many parts', answer: badRequest, fields: { text: 'x'.repeat(1531) } },
  { title: 'no recipient', answer: badRequest, fields: { mobile: [] } },
  {
    title: 'one number of several is none',
    answer: badRequest,
    fields: { mobile: ['+491512345678', 'no number'] },
  },
  { title: 'another type', answer: badRequest, fields: { type: 'Loud' } },
  { title: 'a sender that is none', answer: badRequest, fields: { sender: 'a name that is long' } },
  { title: 'a source that is no address', answer: serverError, fields: { source: 'here' } },
];

describe.each(Object.keys(directories) as (keyof typeof directories)[])('beside %s', (directory) => {
  let ground: Ground;
  let gateway: KeptSender<Sms>;
  beforeAll(async () => {
    const sms = {
      send: (...all: Parameters<KeptSender<Sms>['send']>) => gateway.send(...all),
      close: async () => undefined,
    };
    ground = await directories[directory](config, { sms });
  });
  afterAll(() => ground.close());
  beforeEach(() => {
    gateway = new KeptSender();
    // After a wrong account the place waits.
    ground.clock.advance(10_001);
  });

  describe.each(doorNames)('over %s', (name) => {
    let door: Door;
    beforeAll(() => {
      door = openDoor(name, ground.service);
    });

    it.each(rowsOver(name, doorNames, rows))('smsSend: $title', async ({ fields = {}, answer, out = [] }) => {
      expect(await door('smsSend', { ...right, ...fields })).toEqual(answer);
      await gateway.message(out.length);
      const taken = gateway.taken.map(({ id: _, ...message }) => message);
      expect(taken.sort((one, other) => (one.to < other.to ? -1 : 1))).toEqual(out);
    });

    it('smsSign sends, and smsStatus tells', async () => {
      expect(await door('smsSign', { ...right, timeout: 60 })).toEqual(sent);
      await gateway.message(1);
      expect(await door('smsSign', { ...right, text: '' })).toEqual(badRequest);
      expect(await door('smsStatus', {})).toEqual({
        status: true,
        message: expect.stringMatching(/^Server: /),
      });
    });
  });
});
