/** What users are asked on the phone: every row over every door, on both directories. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directories, type Ground } from '../login/directories.ts';
import { addUser, dnOf, done, rowsOver } from '../login/people.ts';
import { type Door, doorNames, type Fields, openDoor, system } from './doors.ts';

const ok = { code: 1, error: '', message: 'Authentication success' };
const failed = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid authentication request' };
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const serverError = { code: 0, error: 'ServerError', message: 'Server error' };
const session = expect.stringMatching(/^[A-Za-z0-9]{16}$/);
const uri = (kind: string) => expect.stringMatching(new RegExp(`^watchword://${kind}/[A-Za-z0-9]{16}\\?`));

interface Row {
  readonly title: string;
  readonly operation: string;
  /** One that is begun before. */
  readonly begin?: Fields;
  readonly isCanceled?: true;
  readonly fields?: Fields;
  readonly answer: object;
}

const data = 'Grüße & <b>more</b>';
const file = Buffer.from('The contract.').toString('base64');
const usual = { username: 'usual', data };
const confirm = (title: string, fields: Fields, answer: object): Row => ({
  ...{ title: `Confirm: ${title}`, operation: 'otpNormalConfirm', answer },
  fields: { async: true, ...fields },
});

const rows: readonly Row[] = [
  confirm('later', usual, { ...ok, code: 2, message: uri('confirm'), session, timeout: 300 }),
  confirm(
    'later, with a time',
    { ...usual, timeout: 60 },
    { ...ok, code: 2, message: uri('confirm'), session, timeout: 60 },
  ),
  confirm('whom no push reaches', { ...usual, async: false }, failed),
  confirm('without a token', { ...usual, username: 'bare' }, failed),
  confirm('nobody', { ...usual, username: 'nobody' }, failed),
  confirm('an unknown domain', { ...usual, domain: 'Elsewhere' }, failed),
  confirm('a source that is no address', { ...usual, source: 'here' }, serverError),
  confirm('too little', { ...usual, data: 'short' }, badRequest),
  confirm('nothing', { username: 'usual' }, badRequest),
  {
    ...{ title: 'Confirm: a picture', operation: 'otpConfirmQRCode', fields: { ...usual, qrFormat: 'TXT' } },
    answer: { ...ok, message: uri('confirm'), session, timeout: 300, qrImage: expect.anything() },
  },
  {
    ...{ title: 'Check: waiting', operation: 'otpCheckConfirm', begin: usual },
    answer: { code: 2, error: '', message: 'Session already started', session, timeout: 300 },
  },
  {
    title: 'Check: canceled',
    operation: 'otpCheckConfirm',
    begin: usual,
    isCanceled: true,
    answer: noSession,
  },
  { title: 'Check: of a signature', operation: 'otpCheckSign', begin: usual, answer: noSession },
  { title: 'Check: no session', operation: 'otpCheckConfirm', answer: badRequest },
  {
    ...{ title: 'Cancel', operation: 'otpCancelConfirm', begin: usual },
    answer: { ...ok, message: 'Mobile authentication canceled' },
  },
  {
    title: 'Cancel: canceled',
    operation: 'otpCancelConfirm',
    begin: usual,
    isCanceled: true,
    answer: noSession,
  },
  {
    ...{ title: 'Touch', operation: 'otpTouchConfirm', begin: usual },
    answer: { ...ok, message: uri('confirm'), timeout: 300, qrImage: expect.anything() },
  },
  {
    ...{ title: 'Offline: wrong', operation: 'otpOfflineConfirm', begin: usual, fields: { response: '1' } },
    answer: { ...failed, comment: 'Wrong response' },
  },
  {
    ...{ title: 'Sign: later', operation: 'otpNormalSign', fields: { username: 'usual', file, async: true } },
    answer: { code: 2, error: '', message: uri('sign'), session, timeout: 300 },
  },
  {
    ...{
      title: 'Sign: a picture',
      operation: 'otpSignQRCode',
      fields: { username: 'usual', file, qrFormat: 'NONE' },
    },
    answer: { ...ok, message: uri('sign'), session, timeout: 300 },
  },
  {
    title: 'Sign: no file',
    operation: 'otpNormalSign',
    fields: { ...usual, async: true },
    answer: badRequest,
  },
  {
    ...{ title: 'Sign: a form that is not made here', operation: 'otpNormalSign', answer: badRequest },
    fields: { username: 'usual', file, mode: 'PADES', async: true },
  },
  {
    title: 'Seal',
    operation: 'otpSeal',
    fields: { file, client: 'archive' },
    answer: { ...ok, file: expect.anything() },
  },
  { title: 'Seal: no file', operation: 'otpSeal', answer: badRequest },
  {
    title: 'Seal: a form that is not made here',
    operation: 'otpSeal',
    fields: { file, mode: 'XADES' },
    answer: badRequest,
  },
  {
    ...{ title: 'Offline: a picture', operation: 'otpOfflineQRCode', fields: { ...usual, qrFormat: 'TXT' } },
    answer: { ...ok, message: uri('confirm'), session, timeout: 300, qrImage: expect.anything() },
  },
  {
    ...{ title: 'Extern: no gateway for mail', operation: 'otpExternConfirm', answer: serverError },
    fields: { recipient: 'zoe@example.net', file, async: true },
  },
  {
    ...{ title: 'Extern: a signature of nothing', operation: 'otpExternSign', answer: badRequest },
    fields: { recipient: 'zoe@example.net', async: true },
  },
  {
    ...{ title: 'Extern: no address', operation: 'otpExternSign', answer: badRequest },
    fields: { recipient: 'zoe', file, async: true },
  },
  {
    ...{ title: 'Badging: whom no push reaches', operation: 'otpStartBadging', answer: failed },
    fields: { username: 'usual' },
  },
  {
    ...{ title: 'Badging: nobody', operation: 'otpStartBadging', answer: failed },
    fields: { username: 'nobody' },
  },
  {
    ...{ title: 'Badging: not badged in', operation: 'otpCheckBadging', answer: failed },
    fields: { username: 'usual', office: true },
  },
  {
    ...{ title: 'Badging: a source that is no address', operation: 'otpCheckBadging', answer: serverError },
    fields: { username: 'usual', source: 'here' },
  },
  { title: 'Sign: cancel a confirmation', operation: 'otpCancelSign', begin: usual, answer: noSession },
  { title: 'Sign: touch a confirmation', operation: 'otpTouchSign', begin: usual, answer: noSession },
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
      async ({ operation, begin, isCanceled, fields = {}, answer }) => {
        const begun = begin && (await door('otpNormalConfirm', { ...begin, async: true }));
        const named = begun ? { session: String(begun.session) } : {};
        if (isCanceled) await door('otpCancelConfirm', named);
        // In process bytes are bytes; on the wire they are base64.
        const given =
          name === 'in process' && fields.file
            ? { ...fields, file: Buffer.from(file, 'base64') as never }
            : fields;
        expect(await door(operation, { ...named, ...given })).toEqual(answer);
      },
    );
  });
});

it('the rows have titles of their own', () => {
  expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
});
