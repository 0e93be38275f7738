/** Codes and messages of the service sso: every row over every door, on both directories. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directories, type Ground } from '../login/directories.ts';
import { addUser, dnOf, done, rowsOver } from '../login/people.ts';
import { type Door, doorNames, type Fields, openDoor, system } from './doors.ts';

const ok = { code: 1, error: '', message: 'Operation success' };
const unknown = { code: 0, error: 'AuthFailed', message: 'Invalid user or user not found' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid request' };
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const serverError = { code: 0, error: 'ServerError', message: 'Server error' };
const started = (timeout: number) => ({
  ...ok,
  session: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
  timeout,
});

/** Who there is, and what is set. */
const people: Readonly<Record<string, Record<string, string>>> = {
  usual: {},
  brief: { 'Sso.SessionTimeout': '90' },
  fixed: { 'Sso.SessionTimeout': '90', 'Sso.SessionRenew': 'No' },
  off: { 'Otp.EnableLogin': 'No' },
  former: { 'Otp.ValidTo': '2001-01-01 00:00:00' },
  deactivated: {},
};

interface Row {
  readonly title: string;
  readonly operation: string;
  /** A session that is begun before. */
  readonly begin?: Fields;
  /** Seconds that pass since. */
  readonly after?: number;
  /** It is ended before. */
  readonly isStopped?: true;
  readonly fields?: Fields;
  readonly answer: object;
}

const start = (title: string, username: string, answer: object, fields: Fields = {}): Row => ({
  ...{ title: `Start: ${title}`, operation: 'ssoStart', answer },
  fields: { username, ...fields },
});

const check = (title: string, begin: Fields, answer: object, more: Partial<Row> = {}): Row => ({
  ...{ title: `Check: ${title}`, operation: 'ssoCheck', begin, answer },
  ...more,
});

const usual = { username: 'usual', data: '<b>Grüße & more</b>' };

const rows: readonly Row[] = [
  start('a user', 'usual', started(3600)),
  start('in capitals, with the domain before the name', 'DEFAULT\\USUAL', started(3600)),
  start('in a domain, with all that can be said', 'usual', started(3600), {
    ...{ domain: 'default', data: 'x', client: 'shop', source: '198.51.100.7' },
  }),
  start('with a time of its own', 'brief', started(90)),
  start('with a shorter time', 'usual', started(60), { settings: 'Sso.SessionTimeout=60' }),
  start('settings that cannot be', 'usual', badRequest, { settings: 'SessionTimeout=long' }),
  start('nobody', 'nobody', unknown),
  start('an unknown domain', 'usual', unknown, { domain: 'Elsewhere' }),
  start('switched off', 'off', unknown),
  start('not any more', 'former', unknown),
  start('deactivated', 'deactivated', unknown),
  start('a source that is no address', 'usual', serverError, { source: 'here' }),
  start('too much data', 'usual', badRequest, { data: 'x'.repeat(16_385) }),
  { title: 'Start: no name', operation: 'ssoStart', answer: badRequest },
  check('a session', usual, { ...ok, data: usual.data, timeout: 3600 }),
  check('one without data', { username: 'usual' }, { ...ok, data: '', timeout: 3600 }),
  check('with new data', usual, { ...ok, data: 'new', timeout: 3600 }, { fields: { data: 'new' } }),
  check('later', usual, { ...ok, data: usual.data, timeout: 3600 }, { after: 1000 }),
  check('its last second', { username: 'brief' }, { ...ok, data: '', timeout: 90 }, { after: 89 }),
  check('over', { username: 'brief' }, noSession, { after: 90 }),
  check('one that is not renewed', { username: 'fixed' }, { ...ok, data: '', timeout: 40 }, { after: 50 }),
  check('one that is not renewed, over', { username: 'fixed' }, noSession, { after: 90 }),
  check('ended', usual, noSession, { isStopped: true }),
  check('too much data', usual, badRequest, { fields: { data: 'x'.repeat(16_385) } }),
  { title: 'Check: no session', operation: 'ssoCheck', answer: badRequest },
  {
    ...{ title: 'Check: what can be no session', operation: 'ssoCheck' },
    ...{ fields: { session: '../../etc/passwd' }, answer: badRequest },
  },
  {
    ...{ title: 'Check: a session that nobody began', operation: 'ssoCheck' },
    ...{ fields: { session: 'aB3dE5fG7hJ9kL1m' }, answer: noSession },
  },
  { title: 'Stop', operation: 'ssoStop', begin: usual, answer: ok },
  { title: 'Stop: ended', operation: 'ssoStop', begin: usual, isStopped: true, answer: noSession },
  { title: 'Stop: over', operation: 'ssoStop', begin: { username: 'brief' }, after: 90, answer: noSession },
  { title: 'Stop: no session', operation: 'ssoStop', answer: badRequest },
];

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await directories[directory]({ trusted_callers: [system] });
    for (const [uid, settings] of Object.entries(people)) {
      await addUser(ground, uid);
      const dn = dnOf(ground, uid);
      if (Object.keys(settings).length > 0) await done(ground, 'Set_User_Settings', { dn, settings });
    }
    await done(ground, 'Deactivate_LDAP_Object', { dn: dnOf(ground, 'deactivated') });
  });
  afterAll(() => ground.close());

  describe.each(doorNames)('over %s', (name) => {
    let door: Door;
    beforeAll(() => {
      door = openDoor(name, ground.service);
    });

    it.each(rowsOver(name, doorNames, rows))(
      '$title',
      async ({ operation, begin, after = 0, isStopped, fields = {}, answer }) => {
        const session = begin ? { session: String((await door('ssoStart', begin)).session) } : {};
        if (isStopped) expect(await door('ssoStop', session)).toEqual(ok);
        ground.clock.advance(after * 1000);
        expect(await door(operation, { ...session, ...fields })).toEqual(answer);
      },
    );
  });
});

it('the rows have titles of their own', () => {
  expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
});
