/** Codes and messages of the service sshkey: every row over every door, on both directories. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directories, type Ground } from '../login/directories.ts';
import { addPerson, addUser, dnOf, done, isActiveDirectory, rowsOver } from '../login/people.ts';
import { type Door, doorNames, type Fields, openDoor, system } from './doors.ts';

const recovery = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc root@safe';
const password = 'Correct-Hörse-7';
const config = {
  trusted_callers: [system],
  ssh_recovery_keys: [recovery],
  settings: { 'Otp.MaxTries': '1000000' },
};

const ok = { code: 1, error: '', message: 'Operation success' };
const unknown = { ...ok, message: 'Invalid user or user not found' };
const unenrolled = { ...ok, message: 'Account missing required data or SSH enrollment needed' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid request' };
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const serverError = { code: 0, error: 'ServerError', message: 'Server error' };
const wrongPassword = { code: 2, error: 'AuthFailed', message: 'Invalid password' };
const policy = { code: 0, error: 'PasswordPolicy', message: 'Password does not match the password policy' };
const noKey = { publicKeys: '', backupKeys: recovery, keyFiles: '' };
const refusedStart = {
  code: 0,
  error: 'RequestFailed',
  offline: false,
  publicKeys: '',
  backupKeys: recovery,
};
const neutral = {
  ...{ welcome: '', maxtime: 0, locktime: 0, record: '', auditd: '' },
  ...{ create: false, delete: false, offline: false },
};
/** Only Unlock answers with the session that goes on. */
const unlocked = (operation: string) => (operation === 'sshkeySessionUnlock' ? { ...ok, ...neutral } : ok);
const zoe = { name: 'zoe', uid: 5001, gid: 5000, home: '/home/zoe', shell: '/bin/zsh' };
const yan = { name: 'yan', uid: 5002, gid: 5000, home: '/home/yan', shell: '' };
const staff = { name: 'staff', gid: 5000, members: ['yan', 'zoe'] };
const empty = { name: 'empty', gid: 5009, members: [] };

/** Who there is: settings, and terms of the key; null: no key. */
const people: Readonly<Record<string, { settings?: Record<string, string>; terms?: object | null }>> = {
  usual: {},
  keyless: { terms: null },
  off: { settings: { 'SshKey.EnableLogin': 'No' } },
  later: { settings: { 'SshKey.ValidFrom': '2999-01-01 00:00:00' } },
  former: { settings: { 'SshKey.ValidTo': '2001-01-01 00:00:00' } },
  outside: { settings: { 'SshKey.AllowedGroup': 'cn=none,dc=example,dc=org' } },
  deactivated: {},
  expired: { terms: { expires: 1 } },
  used: { terms: { maxuse: 1 } },
  sudoer: { settings: { 'SshKey.SudoCommands': '/usr/bin/id,NOPASSWD: /bin/a <&>;' } },
  recorded: {
    settings: {
      'SshKey.RecordAuditLogs': 'Yes',
      'SshKey.MaxSessionTime': '60',
      'SshKey.LockSessionTime': '30',
    },
  },
  careful: { settings: { 'SshKey.RequireMFA': 'Yes' } },
  changer: { settings: { 'SshKey.PasswordChange': 'Yes' } },
};

const key = (user: string) =>
  expect.stringMatching(
    new RegExp(
      `^environment="SSHKEY_USERNAME=${user}",environment="SSHKEY_DOMAIN=Default" ssh-ed25519 [A-Za-z0-9+/=]+ ${user}@Default$`,
    ),
  );

interface Row {
  readonly title: string;
  readonly operation: string;
  /** Whose session it is about, which is begun before. */
  readonly session?: string;
  readonly fields?: Fields;
  readonly answer: object;
}

const keysOf = (title: string, username: string, answer: object, more: Fields = {}): Row => ({
  ...{ title: `AuthorizedKeys: ${title}`, operation: 'sshkeyAuthorizedKeys', answer },
  fields: { username, ...more },
});

const rows: readonly Row[] = [
  keysOf('a user with a key', 'usual', { ...ok, ...noKey, publicKeys: key('usual') }),
  keysOf('in capitals, with the domain before the name', 'DEFAULT\\USUAL', {
    ...ok,
    ...noKey,
    publicKeys: key('usual'),
  }),
  keysOf('in a domain', 'usual', { ...ok, ...noKey, publicKeys: key('usual') }, { domain: 'default' }),
  keysOf('without a key', 'keyless', { ...unenrolled, ...noKey }),
  keysOf('an expired key', 'expired', { ...unenrolled, ...noKey }),
  keysOf('a key that is used up', 'used', { ...unenrolled, ...noKey }),
  keysOf('nobody', 'nobody', { ...unknown, ...noKey }),
  keysOf('an unknown domain', 'usual', { ...unknown, ...noKey }, { domain: 'Elsewhere' }),
  keysOf('deactivated', 'deactivated', { ...unknown, ...noKey }),
  keysOf('switched off', 'off', { ...unknown, ...noKey }),
  keysOf('not yet', 'later', { ...unknown, ...noKey }),
  keysOf('not any more', 'former', { ...unknown, ...noKey }),
  keysOf('not in the group', 'outside', { ...unknown, ...noKey }),
  keysOf('a source that is no address', 'usual', serverError, { source: 'here' }),
  keysOf('settings that cannot be', 'usual', badRequest, { settings: 'MaxSessionTime=long' }),
  { title: 'AuthorizedKeys: no name', operation: 'sshkeyAuthorizedKeys', answer: badRequest },
  { title: 'RecoveryKeys', operation: 'sshkeyRecoveryKeys', answer: { ...ok, backupKeys: recovery } },
  {
    ...{ title: 'RecoveryKeys: a source that is no address', operation: 'sshkeyRecoveryKeys' },
    ...{ fields: { source: '1.2.3' }, answer: serverError },
  },
  {
    ...{ title: 'Sudoers', operation: 'sshkeySudoers', fields: { username: 'sudoer' } },
    answer: {
      ...{ ...ok, sudoAdvanced: '' },
      sudoCommands: 'sudoer ALL=(ALL) /usr/bin/id\nsudoer ALL=(ALL) NOPASSWD: /bin/a <&>;',
    },
  },
  {
    ...{ title: 'Sudoers: none', operation: 'sshkeySudoers', fields: { username: 'usual' } },
    answer: { ...ok, sudoAdvanced: '', sudoCommands: '' },
  },
  {
    title: 'Sudoers: nobody',
    operation: 'sshkeySudoers',
    fields: { username: 'nobody' },
    answer: serverError,
  },
  {
    title: 'NSSList: users',
    operation: 'sshkeyNSSList',
    fields: { database: 'user' },
    answer: { ...ok, data: [yan, zoe] },
  },
  {
    ...{ title: 'NSSList: groups of a domain', operation: 'sshkeyNSSList' },
    ...{ fields: { database: 'GROUP', domain: 'Default' }, answer: { ...ok, data: [empty, staff] } },
  },
  { title: 'NSSList: no database', operation: 'sshkeyNSSList', answer: badRequest },
  {
    ...{ title: 'NSSList: an unknown domain', operation: 'sshkeyNSSList' },
    ...{ fields: { database: 'user', domain: 'Elsewhere' }, answer: serverError },
  },
  ...(
    [
      ['a user by name', { database: 'user', name: 'zoe' }, { ...ok, data: zoe }],
      ['a user by number', { database: 'user', id: 5002 }, { ...ok, data: yan }],
      ['a group by name', { database: 'group', name: 'staff' }, { ...ok, data: staff }],
      ['a group by number', { database: 'group', id: 5009 }, { ...ok, data: empty }],
      ['nobody', { database: 'user', name: 'nobody' }, { ...ok, data: {} }],
      ['neither name nor number', { database: 'user' }, badRequest],
      ['both', { database: 'user', name: 'zoe', id: 5001 }, badRequest],
    ] as const
  ).map(([title, fields, answer]) => ({
    title: `NSSInfo: ${title}`,
    operation: 'sshkeyNSSInfo',
    fields,
    answer,
  })),
  {
    ...{ title: 'SessionStart', operation: 'sshkeySessionStart' },
    fields: { username: 'recorded', server: 'web1', command: 'id <&>', terminal: true },
    answer: {
      ...ok,
      ...neutral,
      session: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
      maxtime: 60,
      locktime: 30,
      auditd: 'Yes',
    },
  },
  {
    ...{ title: 'SessionStart: the key of somebody else', operation: 'sshkeySessionStart' },
    fields: { username: 'root', identity: 'usual', terminal: false },
    answer: { ...ok, ...neutral, session: expect.stringMatching(/^[A-Za-z0-9]{16}$/) },
  },
  {
    ...{ title: 'SessionStart: nobody', operation: 'sshkeySessionStart', fields: { username: 'nobody' } },
    answer: { ...refusedStart, message: unknown.message },
  },
  {
    ...{
      title: 'SessionStart: a key that is used up',
      operation: 'sshkeySessionStart',
      fields: { username: 'used' },
    },
    answer: { ...refusedStart, message: unenrolled.message },
  },
  {
    ...{ title: 'SessionUpdate with logs', operation: 'sshkeySessionUpdate', session: 'recorded' },
    ...{ fields: { logs: Buffer.from('type=EXECVE').toString('base64') }, answer: { ...ok, ...neutral } },
  },
  {
    ...{ title: 'SessionUpdate: the end', operation: 'sshkeySessionUpdate', session: 'usual' },
    ...{ fields: { stop: true }, answer: { ...ok, ...neutral } },
  },
  {
    ...{ title: 'SessionUpdate: logs that are not kept', operation: 'sshkeySessionUpdate', session: 'usual' },
    ...{ fields: { logs: 'eA==' }, answer: badRequest },
  },
  ...['sshkeySessionUpdate', 'sshkeySessionLogin', 'sshkeySessionUnlock', 'sshkeyPasswordChange'].flatMap(
    (operation) => [
      {
        title: `${operation}: no such session`,
        operation,
        fields: { session: 'aB3dE5fG7hJ9kL1m' },
        answer: noSession,
      },
      { title: `${operation}: no id of a session`, operation, fields: { session: 'a' }, answer: noSession },
    ],
  ),
  ...['sshkeySessionLogin', 'sshkeySessionUnlock'].flatMap((operation) => [
    {
      title: `${operation}: right`,
      operation,
      session: 'usual',
      fields: { password },
      answer: unlocked(operation),
    },
    {
      title: `${operation}: wrong`,
      operation,
      session: 'usual',
      fields: { password: 'wrong' },
      answer: wrongPassword,
    },
    { title: `${operation}: none`, operation, session: 'usual', answer: wrongPassword },
    {
      ...{ title: `${operation}: the password alone, where a code is wanted`, operation, session: 'careful' },
      ...{ fields: { password }, answer: wrongPassword },
    },
    {
      ...{ title: `${operation}: with a code`, operation, session: 'careful' },
      ...{ fields: { password: `${password}123456` }, answer: unlocked(operation) },
    },
  ]),
  {
    ...{ title: 'PasswordChange: not allowed', operation: 'sshkeyPasswordChange', session: 'usual' },
    ...{ fields: { oldPassword: password, newPassword: 'Another-Horse-8' }, answer: badRequest },
  },
  {
    ...{
      title: 'PasswordChange: the old one is wrong',
      operation: 'sshkeyPasswordChange',
      session: 'changer',
    },
    ...{ fields: { oldPassword: 'wrong', newPassword: 'Another-Horse-8' }, answer: wrongPassword },
  },
  {
    ...{ title: 'PasswordChange: the same', operation: 'sshkeyPasswordChange', session: 'changer' },
    ...{ fields: { oldPassword: password, newPassword: password }, answer: policy },
  },
  {
    ...{ title: 'Status', operation: 'sshkeyStatus' },
    answer: { status: true, message: expect.stringMatching(/^Server: /) },
  },
];

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await directories[directory](config);
    for (const [uid, { settings, terms = {} }] of Object.entries(people)) {
      const dn = dnOf(ground, uid);
      await addUser(ground, uid, password);
      if (terms) await done(ground, 'SshKey.Key_Register', { dn, type: 'ED25519', ...terms });
      if (settings) await done(ground, 'Set_User_Settings', { dn, settings });
    }
    await done(ground, 'Deactivate_LDAP_Object', { dn: dnOf(ground, 'deactivated') });
    const posix = { userpassword: password, classes: ['posixAccount'], gidnumber: '5000' };
    await addPerson(ground, 'zoe', {
      ...posix,
      uidnumber: '5001',
      homedirectory: zoe.home,
      loginshell: zoe.shell,
    });
    await addPerson(ground, 'yan', { ...posix, uidnumber: '5002', homedirectory: yan.home });
    const addGroup = (name: string, attrs: object) =>
      done(ground, 'Create_LDAP_Object', { dn: `cn=${name},ou=groups,${ground.base}`, attrs });
    const objectclass = isActiveDirectory ? ['group', 'posixGroup'] : 'posixGroup';
    await addGroup('staff', {
      objectclass,
      gidnumber: '5000',
      memberuid: staff.members,
    });
    await addGroup('empty', { objectclass, gidnumber: '5009' });
    expect(await ground.service.web.sshkey.sessionStart({ username: 'used' })).toMatchObject({ code: 1 });
    // Keys of a day have expired then.
    ground.clock.advance(86_400_000);
    await done(ground, 'Otp.Emerg_Register', { dn: dnOf(ground, 'careful'), otp: '123456', expires: 86_400 });
  });
  afterAll(() => ground.close());

  describe.each(doorNames)('over %s', (name) => {
    let door: Door;
    beforeAll(() => {
      door = openDoor(name, ground.service);
    });

    it.each(rowsOver(name, doorNames, rows))(
      '$title',
      async ({ operation, session: whose, fields = {}, answer }) => {
        const begun = whose === undefined ? {} : await door('sshkeySessionStart', { username: whose });
        const session = 'session' in begun ? { session: String(begun.session) } : {};
        const isGoingOn =
          ['sshkeySessionUpdate', 'sshkeySessionUnlock'].includes(operation) &&
          whose !== undefined &&
          Object(answer).code === 1;
        expect(await door(operation, { ...session, ...fields })).toEqual({
          ...answer,
          ...(isGoingOn && session),
        });
      },
    );
  });
});

it('the rows have titles of their own', () => {
  expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
});
