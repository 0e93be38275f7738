/** Logins by a QR code: every row over every door, on both directories. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directories, type Ground } from '../login/directories.ts';
import { addUser, dnOf, done, rowsOver } from '../login/people.ts';
import { type Door, doorNames, type Fields, openDoor, system } from './doors.ts';

const ok = { code: 1, error: '', message: 'Operation success' };
const failed = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid request' };
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const serverError = { code: 0, error: 'ServerError', message: 'Server error' };
const pending = { code: 2, error: '', message: 'Session already started', timeout: 300 };
const session = expect.stringMatching(/^[A-Za-z0-9]{16}$/);
const shown = (kind: string) => ({
  ...{ ...ok, timeout: 300, QR: expect.anything() },
  URI: expect.stringMatching(new RegExp(`^watchword://${kind}/[A-Za-z0-9]{16}\\?`)),
});

interface Row {
  readonly title: string;
  readonly operation: string;
  /** One is begun before. */
  readonly isBegun?: true;
  readonly isCanceled?: true;
  readonly fields?: Fields;
  readonly answer: object;
}

const begun = (kind: string) => ({ ...shown(kind), session });
const start = (title: string, fields: Fields, answer: object): Row => ({
  ...{ title: `Start: ${title}`, operation: 'qrauthStart', fields, answer },
});
const isBegun = true;
const typed = { username: 'usual', ldapPassword: 'password', qrauthPassword: '00000000' };

const rows: readonly Row[] = [
  start('nothing', {}, begun('login')),
  start(
    'a login',
    { operation: 'auth', client: 'shop', inputText: 'Grüße & <b>more</b>', source: '192.0.2.1' },
    begun('login'),
  ),
  start('a word in other letters', { operation: 'AUTH' }, begun('login')),
  start('a signature', { operation: 'sign', inputText: 'I agree.' }, begun('sign')),
  start('a signature of nothing', { operation: 'sign' }, badRequest),
  start('decryption', { operation: 'decrypt', inputText: 'x' }, badRequest),
  start('a source that is no address', { source: 'here' }, serverError),
  { title: 'Check: waiting', operation: 'qrauthCheck', isBegun, answer: pending },
  {
    ...{ title: 'Check: with a password', operation: 'qrauthCheck', isBegun },
    ...{ fields: { ldapPassword: 'password' }, answer: pending },
  },
  { title: 'Check: canceled', operation: 'qrauthCheck', isBegun, isCanceled: true, answer: noSession },
  { title: 'Check: no session', operation: 'qrauthCheck', answer: badRequest },
  {
    ...{ title: 'Check: a session that never was', operation: 'qrauthCheck' },
    ...{ fields: { session: 'aaaaaaaaaaaaaaaa' }, answer: noSession },
  },
  { title: 'Cancel', operation: 'qrauthCancel', isBegun, answer: ok },
  { title: 'Cancel: canceled', operation: 'qrauthCancel', isBegun, isCanceled: true, answer: noSession },
  { title: 'QR', operation: 'qrauthSessionQR', isBegun, answer: shown('login') },
  { title: 'QR: canceled', operation: 'qrauthSessionQR', isBegun, isCanceled: true, answer: noSession },
  { title: 'Typed: wrong', operation: 'qrauthOfflineCheck', isBegun, fields: typed, answer: failed },
  {
    ...{ title: 'Typed: nobody', operation: 'qrauthOfflineCheck', isBegun },
    ...{ fields: { ...typed, username: 'nobody' }, answer: failed },
  },
  {
    ...{ title: 'Typed: without a token', operation: 'qrauthOfflineCheck', isBegun },
    ...{ fields: { ...typed, username: 'bare' }, answer: failed },
  },
  {
    ...{ title: 'Typed: canceled', operation: 'qrauthOfflineCheck', isBegun, isCanceled: true },
    ...{ fields: typed, answer: noSession },
  },
  {
    title: 'Encrypt: a text',
    operation: 'qrauthEncrypt',
    fields: { username: 'usual', inputText: 'Grüße & <b>more</b>' },
    answer: { ...ok, data: expect.anything() },
  },
  {
    title: 'Encrypt: nothing',
    operation: 'qrauthEncrypt',
    fields: { username: 'usual' },
    answer: badRequest,
  },
  {
    ...{ title: 'Encrypt: nobody', operation: 'qrauthEncrypt', answer: failed },
    fields: { username: 'nobody', inputText: 'x' },
  },
  {
    ...{ title: 'Encrypt: without a token', operation: 'qrauthEncrypt', answer: failed },
    fields: { username: 'bare', inputText: 'x' },
  },
  {
    ...{ title: 'Status', operation: 'qrauthStatus' },
    answer: { status: true, message: expect.stringContaining('Listener') },
  },
];

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await directories[directory]({ trusted_callers: [system] });
    const key = Buffer.from('12345678901234567890').toString('base64');
    for (const uid of ['usual', 'bare']) await addUser(ground, uid);
    await done(ground, 'Otp.TOTP_Register', { dn: dnOf(ground, 'usual'), key });
  });
  afterAll(() => ground.close());

  describe.each(doorNames)('over %s', (name) => {
    let door: Door;
    beforeAll(() => {
      door = openDoor(name, ground.service);
    });

    it.each(rowsOver(name, doorNames, rows))(
      '$title',
      async ({ operation, isBegun: begins, isCanceled, fields = {}, answer }) => {
        const begun = begins && (await door('qrauthStart', { inputText: 'Log in' }));
        const named = begun ? { session: String(begun.session) } : {};
        if (isCanceled) await door('qrauthCancel', named);
        expect(await door(operation, { ...named, ...fields })).toEqual(answer);
      },
    );
  });
});

it('the rows have titles of their own', () => {
  expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
});
