/** The SSH public key server in process, over the embedded directory and slapd: keys, sessions, passwords, name service. */
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { totp } from '../../foundation/oath/totp.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';

const recovery = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc root@safe';
const ok = { code: 1, error: '', message: 'Operation success' };
const unknown = { ...ok, message: 'Invalid user or user not found' };
const unenrolled = { ...ok, message: 'Account missing required data or SSH enrollment needed' };
const refusedStart = {
  ...{ code: 0, error: 'RequestFailed', offline: false, publicKeys: '', backupKeys: recovery },
};
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const neutral = {
  ...{ welcome: '', maxtime: 0, locktime: 0, record: '', auditd: '' },
  ...{ create: false, delete: false, offline: false },
};
const wrongPassword = { code: 2, error: 'AuthFailed', message: 'Invalid password' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid request' };
const serverError = { code: 0, error: 'ServerError', message: 'Server error' };
const password = 'Correct-Horse-7';

describe.each(engines)('the web service sshkey: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let renamed: Fixture;
  let deployed: Fixture;
  let bounded: Fixture;
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    people = await stage.container();
    node = await stage.fixture.another({
      config: { ssh_recovery_keys: [recovery] },
      ports: () => stage.ports,
    });
    const config = { names: { sshkey: 'examplekey' } };
    renamed = await stage.fixture.another({ config, ports: () => stage.ports });
    deployed = await stage.fixture.another({
      config: { dialect: 'deployed', ssh_recovery_keys: [recovery] },
      ports: () => stage.ports,
    });
    const ssh_recordings = { session_mb: 1, total_mb: 2, days: 3 };
    bounded = await stage.fixture.another({ config: { ssh_recordings }, ports: () => stage.ports });
  });
  afterAll(async () => {
    await node.close();
    await renamed.close();
    await deployed.close();
    await bounded.close();
    await stage.close();
  });

  const ssh = () => node.service.web.sshkey;
  const named = async (uid: string, settings: Record<string, string> = {}, terms: object = {}) => {
    const dn = await stage.person(people, uid, { userpassword: password });
    const pem = await stage.manager.SshKey.Key_Register({ dn, type: 'ED25519', ...terms });
    if (Object.keys(settings).length > 0) await stage.manager.Set_User_Settings({ dn, settings });
    return { dn, pem };
  };
  const start = async (username: string, more: object = {}) => {
    const { session = '', ...answer } = {
      session: '',
      ...(await ssh().sessionStart({ username, server: 'web1', ...more })),
    };
    return { session, answer };
  };
  const begun = async (username: string) => {
    const { session, answer } = await start(username);
    expect(answer.code).toBe(1);
    return session;
  };
  const logged = () => node.events().map(({ text }) => text);

  describe('AuthorizedKeys', () => {
    it('answers the line that sshd reads', async () => {
      await named('adele');
      const answer = await ssh().authorizedKeys({ username: 'ADELE' });
      const { publicKeys } = { publicKeys: '', ...answer };
      expect(publicKeys).toMatch(
        /^environment="SSHKEY_USERNAME=adele",environment="SSHKEY_DOMAIN=Default" ssh-ed25519 [A-Za-z0-9+/=]{68} adele@Default$/,
      );
      expect(answer).toEqual({ ...ok, publicKeys, backupKeys: recovery, keyFiles: '' });
    });

    it('names the variables by the word of the installation', async () => {
      await named('wanda');
      expect(await renamed.service.web.sshkey.authorizedKeys({ username: 'wanda' })).toMatchObject({
        publicKeys: expect.stringContaining(
          'environment="EXAMPLEKEY_USERNAME=wanda",environment="EXAMPLEKEY_DOMAIN=Default" ssh-ed25519 ',
        ),
      });
    });

    it.each([
      ['an unknown user', 'nobody'],
      ['a name of an unknown domain', 'Elsewhere\\nobody'],
    ])('%s has the recovery keys', async (_, username) => {
      const expected = { ...unknown, publicKeys: '', backupKeys: recovery, keyFiles: '' };
      expect(await ssh().authorizedKeys({ username })).toEqual(expected);
      expect(await ssh().authorizedKeys({ username: 'adele', domain: 'Elsewhere' })).toEqual(expected);
    });

    it('asks a user without a key to enrol', async () => {
      await stage.person(people, 'keyless');
      expect(await ssh().authorizedKeys({ username: 'keyless' })).toMatchObject({
        ...unenrolled,
        publicKeys: '',
      });
    });

    it.each([
      ['off', { 'SshKey.EnableLogin': 'No' }, false],
      ['off for one-time passwords only', { 'Otp.EnableLogin': 'No' }, true],
      ['not yet', { 'SshKey.ValidFrom': '2999-01-01 00:00:00' }, false],
      ['not any more', { 'SshKey.ValidTo': '2001-01-01 00:00:00' }, false],
      ['of a group that is not there', { 'SshKey.AllowedGroup': 'cn=none,dc=example,dc=org' }, false],
    ] as const)('%s', async (title, settings, isIn) => {
      const uid = `gate-${title.replaceAll(' ', '-')}`;
      await named(uid, settings);
      const { message } = await ssh().authorizedKeys({ username: uid });
      expect(message).toBe(isIn ? ok.message : unknown.message);
    });

    it('AllowedGroup lets its members in', async () => {
      const group = `cn=ssh people,${people}`;
      const inside = await named('inside', { 'SshKey.AllowedGroup': group });
      await named('outside', { 'SshKey.AllowedGroup': group });
      await stage.manager.Create_LDAP_Object({
        dn: group,
        attrs: { objectclass: 'groupOfNames', member: [inside.dn] },
      });
      expect(await ssh().authorizedKeys({ username: 'inside' })).toMatchObject(ok);
      expect(await ssh().authorizedKeys({ username: 'outside' })).toMatchObject(unknown);
      const nested = await named('nested', { 'SshKey.AllowedGroup': group });
      const inner = `cn=inner,${people}`;
      await stage.manager.Create_LDAP_Object({
        dn: inner,
        attrs: { objectclass: 'groupOfNames', member: [nested.dn] },
      });
      expect(await ssh().authorizedKeys({ username: 'nested' })).toMatchObject(unknown);
      await stage.manager.Set_User_Attrs({ dn: group, attrs: { member: [inner] }, values: true });
      stage.fixture.clock.advance(1_000);
      expect(await ssh().authorizedKeys({ username: 'nested' })).toMatchObject(ok);
    });

    it('returns no key for a deactivated user', async () => {
      const { dn } = await named('gone');
      expect(await ssh().authorizedKeys({ username: 'gone' })).toMatchObject(ok);
      await stage.manager.Deactivate_LDAP_Object({ dn });
      expect(await ssh().authorizedKeys({ username: 'gone' })).toMatchObject({ ...unknown, publicKeys: '' });
    });

    it('returns no expired key', async () => {
      await named('brief', {}, { expires: 1 });
      expect(await ssh().authorizedKeys({ username: 'brief' })).toMatchObject(ok);
      node.clock.advance(86_400_000);
      expect(await ssh().authorizedKeys({ username: 'brief' })).toMatchObject({
        ...unenrolled,
        publicKeys: '',
      });
    });

    it('has the environment of the settings, and of the request of a system', async () => {
      await named('environs', { 'SshKey.EnvVariables': 'LANG=de_DE.UTF-8,NOTE=a, b\nROLE=ops' });
      const lineOf = async (settings?: string) =>
        ({ publicKeys: '', ...(await ssh().authorizedKeys({ username: 'environs', settings })) }).publicKeys;
      const usual = 'environment="SSHKEY_USERNAME=environs",environment="SSHKEY_DOMAIN=Default",';
      expect(await lineOf()).toContain(
        `${usual}environment="LANG=de_DE.UTF-8",environment="NOTE=a, b",environment="ROLE=ops" ssh-ed25519 `,
      );
      expect(await lineOf('EnvVariables=ROLE=dev')).toContain(`${usual}environment="ROLE=dev" ssh-ed25519 `);
      // Whether somebody may log in, no request says.
      expect(await lineOf('SshKey.EnableLogin=No,ValidTo=2001-01-01 00:00:00')).toContain(usual);
    });

    it.each(['a "quoted" name', 'a\\name'])(
      'writes no key for %j, which sshd could not read',
      async (uid) => {
        await named(uid);
        expect(await ssh().authorizedKeys({ username: uid })).toMatchObject(unknown);
      },
    );
  });

  it('ignores a malformed key that an administrator has written', async () => {
    const { dn } = await named('scribbled');
    for (const bytes of ['', 'no key', '\u0030\u0084\u00ff\u00ff\u00ff\u00ff', '0'.repeat(100)]) {
      const data = { 'SshKey.PublicKey': Buffer.from(bytes, 'latin1').toString('base64') };
      await stage.manager.Set_User_Data({ dn, data });
      expect(await ssh().authorizedKeys({ username: 'scribbled' })).toMatchObject({
        ...unenrolled,
        publicKeys: '',
      });
    }
  });

  it('RecoveryKeys and Status', async () => {
    expect(await ssh().recoveryKeys({})).toEqual({ ...ok, backupKeys: recovery });
    expect(await ssh().recoveryKeys({ source: 'here' })).toEqual(serverError);
    const { status, message } = await ssh().status();
    expect([status, String(message)]).toEqual([true, expect.stringMatching(/^Server: /)]);
  });

  it('Sudoers', async () => {
    const commands =
      'NOPASSWD: /usr/bin/less *,/usr/sbin/ss -H sport \\= \\:22\\, dport\nsudoedit /etc/hosts';
    await named('operator', { 'SshKey.SudoCommands': commands });
    await named('plain');
    expect(await ssh().sudoers({ username: 'operator' })).toEqual({
      ...ok,
      sudoAdvanced: '',
      sudoCommands: [
        'operator ALL=(ALL) NOPASSWD: /usr/bin/less *',
        'operator ALL=(ALL) /usr/sbin/ss -H sport \\= \\:22\\, dport',
        'operator ALL=(ALL) sudoedit /etc/hosts',
      ].join('\n'),
    });
    expect(await ssh().sudoers({ username: 'plain' })).toEqual({ ...ok, sudoAdvanced: '', sudoCommands: '' });
    expect(await ssh().sudoers({ username: 'nobody' })).toEqual(serverError);
  });

  it.each(['ALL', 'ADMINS'])('allows no sudo for an account %j', async (uid) => {
    await named(uid, { 'SshKey.SudoCommands': 'ALL' });
    expect(await ssh().sudoers({ username: uid })).toMatchObject({ ...ok, sudoCommands: '' });
  });

  it.each([
    ['SshKey.SudoCommands', 'less'],
    ['SshKey.SudoCommands', '/bin/a \\'],
    ['SshKey.SudoCommands', '/bin/a # ALL'],
    ['SshKey.EnvVariables', 'LANG'],
    ['SshKey.EnvVariables', 'A=1,B="2"'],
    ['SshKey.AllowedGroup', 'admins'],
    ['SshKey.SudoAdvanced', 'Defaults !requiretty\n @include /tmp/mine'],
    ['SshKey.SudoAdvanced', '#includedir /tmp'],
    ['SshKey.WelcomeMessage', 'Hello\u001b[2J'],
    ['SshKey.AuditRule', '-w /etc/passwd\n'.repeat(300)],
  ])('%s cannot be %j', async (name, value) => {
    const dn = await stage.person(people, `set ${name} ${value.length}`);
    await expect(stage.manager.Set_User_Settings({ dn, settings: { [name]: value } })).rejects.toMatchObject({
      reason: 'invalid_params',
    });
  });

  describe('sessions', () => {
    it('begin, are heard of, and end; the event log has all of it', async () => {
      await named('walker', {
        'SshKey.MaxSessionTime': '3600',
        'SshKey.LockSessionTime': '300',
        'SshKey.RecordAuditLogs': 'Yes',
      });
      const { session, answer } = await start('root', {
        identity: 'walker',
        command: 'uptime\u001b[2J',
        terminal: true,
      });
      expect(answer).toEqual({
        ...ok,
        ...{ welcome: '', maxtime: 3600, locktime: 300, record: '', auditd: 'Yes' },
        ...{ create: false, delete: false, offline: false },
      });
      const logs = Buffer.from('type=EXECVE a0="id"\n\ntype=EXECVE a0="ls"\n');
      expect(await ssh().sessionUpdate({ session, logs })).toEqual({
        ...ok,
        session,
        ...neutral,
      });
      expect(await ssh().sessionUpdate({ session, stop: true })).toMatchObject(ok);
      expect(await ssh().sessionUpdate({ session })).toEqual(noSession);
      const whose = 'SSH session of "Default\\\\walker" as "root" at "web1": ';
      expect(logged().filter((text) => text.startsWith(whose))).toEqual(
        [
          'begun, command "uptime\\u001b[2J", with a terminal',
          'audit: type=EXECVE a0="id"',
          'audit: type=EXECVE a0="ls"',
          'ended',
        ].map((text) => whose + text),
      );
    });

    it('end with their time', async () => {
      await named('timed', { 'SshKey.MaxSessionTime': '60' });
      const session = await begun('timed');
      node.clock.advance(59_000);
      expect(await ssh().sessionUpdate({ session })).toMatchObject(ok);
      node.clock.advance(1_000);
      expect(await ssh().sessionUpdate({ session })).toEqual(noSession);
    });

    it('end with their user', async () => {
      const { dn } = await named('dismissed');
      const session = await begun('dismissed');
      await stage.manager.Set_User_Settings({ dn, settings: { 'SshKey.EnableLogin': false } });
      expect(await ssh().sessionUpdate({ session })).toEqual(noSession);
      expect(await ssh().sessionUnlock({ session, password })).toEqual(noSession);
      expect(await ssh().sessionUpdate({ session, stop: true })).toMatchObject(ok);
    });

    it.each([
      [{ session: 'short' }, noSession],
      [{ session: 'aB3dE5fG7hJ9kL1m' }, noSession],
      [{}, badRequest],
    ])('%j is none', async (request, answer) => {
      expect(await ssh().sessionUpdate(request)).toEqual(answer);
      expect(await ssh().sessionUnlock({ ...request, password })).toEqual(answer);
      expect(await ssh().passwordChange({ ...request, oldPassword: 'a', newPassword: 'b' })).toEqual(answer);
    });

    it('tell what the settings of the user say to the system', async () => {
      await named('told', {
        'SshKey.WelcomeMessage': 'Welcome.\nAll is recorded.',
        'SshKey.RecordSessions': 'Yes',
        'SshKey.RecordAuditLogs': 'Yes',
        'SshKey.AuditRule': '-a always,exit -F arch=b64 -S execve',
        'SshKey.CreateAccount': 'Yes',
        'SshKey.OfflineLogin': 'Yes',
        'SshKey.SudoAdvanced': 'Defaults:told !requiretty',
        'SshKey.SudoCommands': '/usr/bin/id',
      });
      expect((await start('told')).answer).toEqual({
        ...{ ...ok, welcome: 'Welcome.\nAll is recorded.', maxtime: 0, locktime: 0, record: 'Yes' },
        auditd: '-a always,exit -F arch=b64 -S execve',
        ...{ create: true, delete: false, offline: true },
      });
      expect(await ssh().sudoers({ username: 'told' })).toEqual({
        ...ok,
        sudoAdvanced: 'Defaults:told !requiretty',
        sudoCommands: 'told ALL=(ALL) /usr/bin/id',
      });
    });

    it('records sessions when the settings say so: sealed, in parts, for a time, readable for administrators', async () => {
      const { dn } = await named('shown', { 'SshKey.RecordSessions': 'Yes' });
      const session = await begun('shown');
      const parts = [
        '$ id\r\n',
        Buffer.alloc(500_000, 'a').toString(),
        Buffer.alloc(700_000, 'b').toString(),
      ];
      for (const part of parts)
        expect(await ssh().sessionUpdate({ session, data: Buffer.from(part) })).toMatchObject(ok);
      const { SshKey } = stage.manager;
      const [one, ...others] = await SshKey.User_Recordings({ dn });
      expect(others).toEqual([]);
      expect(one).toMatchObject({
        ...{ user: 'Default\\shown', where: 'as "shown" at "web1"', bytes: 1_200_006, full: false },
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      const id = one?.id ?? '';
      const first = await SshKey.Recording_Get({ dn, id });
      expect(first.next).toBe(2);
      const rest = await SshKey.Recording_Get({ dn, id, from: 2 });
      expect(rest.next).toBe(false);
      const bytes = [first, rest].map(({ data }) => Buffer.from(data, 'base64').toString());
      expect(bytes.join('')).toBe(parts.join(''));
      for (const family of ['ssh-recording', 'ssh-recording-part'])
        for await (const page of node.ports.store.family(family))
          for (const { key, value } of page) {
            const kept = `${key} ${Buffer.from(value).toString('latin1')}`;
            expect([family, kept.includes('$ id'), kept.includes('shown'), kept.includes(session)]).toEqual([
              ...[family, false, false, false],
            ]);
          }
      const audit = stage.fixture.events().map(({ text }) => text);
      expect(audit).toContainEqual(
        expect.stringMatching(`: SshKey.Recording_Get dn="${dn}" id="${id}".*: done$`),
      );
      const another = await stage.person(people, 'unrecorded', { userpassword: password });
      expect(await SshKey.User_Recordings({ dn: another })).toEqual([]);
      await expect(SshKey.Recording_Get({ dn: another, id })).rejects.toMatchObject({ reason: 'not_found' });
      await SshKey.Recording_Remove({ dn, id });
      await expect(SshKey.Recording_Get({ dn, id })).rejects.toMatchObject({ reason: 'not_found' });
      expect(await SshKey.User_Recordings({ dn })).toEqual([]);
      const left = [];
      for await (const page of node.ports.store.family('ssh-recording-part')) left.push(...page);
      expect(left).toEqual([]);
    });

    it('limits recordings by session, in total and in time, and stores logs beside', async () => {
      const service = bounded.service.web.sshkey;
      const { dn } = await named('talker', {
        'SshKey.RecordSessions': 'Yes',
        'SshKey.RecordAuditLogs': 'Yes',
      });
      const begin = async () => {
        const answer = await service.sessionStart({ username: 'talker', server: 'web1' });
        return 'session' in answer ? answer.session : '';
      };
      const half = Buffer.alloc(524_288);
      const send = (session: string, data: Uint8Array = half) =>
        service.sessionUpdate({ session, data, logs: Buffer.from('x') });
      const first = await begin();
      expect([await send(first), await send(first)]).toMatchObject([ok, ok]);
      const before = logged().length;
      for (const times of [1, 2]) {
        expect(await send(first, Buffer.from('x'))).toEqual(badRequest);
        expect(
          logged()
            .slice(before)
            .filter((text) => /full/.test(text)),
        ).toHaveLength(1);
        expect(
          logged()
            .slice(before)
            .filter((text) => /audit: x$/.test(text)),
        ).toHaveLength(times);
      }
      const second = await begin();
      expect([await send(second), await send(second)]).toMatchObject([ok, ok]);
      const third = await begin();
      expect(await send(third)).toEqual(badRequest);
      expect(await service.sessionUpdate({ session: third })).toMatchObject(ok);
      const list = () => stage.manager.SshKey.User_Recordings({ dn });
      expect((await list()).map(({ bytes, full }) => [bytes, full])).toEqual(
        expect.arrayContaining([
          [1_048_576, true],
          [1_048_576, false],
          [0, true],
        ]),
      );
      for (const one of [node, stage.fixture, bounded]) one.clock.advance(4 * 86_400_000);
      expect(await list()).toEqual([]);
      expect(await send(await begin())).toMatchObject(ok);
    });

    it('several parts of one session that come at once are all kept', async () => {
      const { dn } = await named('hasty', { 'SshKey.RecordSessions': 'Yes' });
      const session = await begun('hasty');
      const all = Array.from({ length: 8 }, (_, n) => `part ${n};`);
      const answers = await Promise.all(
        all.map((part) => ssh().sessionUpdate({ session, data: Buffer.from(part) })),
      );
      expect(answers.map(({ code }) => code)).toEqual(all.map(() => 1));
      const [{ id } = { id: '' }] = await stage.manager.SshKey.User_Recordings({ dn });
      const { data } = await stage.manager.SshKey.Recording_Get({ dn, id });
      expect(
        Buffer.from(data, 'base64')
          .toString()
          .split(/(?<=;)/)
          .sort(),
      ).toEqual(all);
    });

    it('refuses what cannot be stored, and continues the session', async () => {
      await named('quiet');
      const session = await begun('quiet');
      expect(await ssh().sessionUpdate({ session, logs: Buffer.from('x') })).toEqual(badRequest);
      expect(await ssh().sessionUpdate({ session, data: Buffer.from('x') })).toEqual(badRequest);
      expect(await ssh().sessionUpdate({ session })).toMatchObject(ok);
    });

    it('begins no session for an unknown user, or without a valid key', async () => {
      expect((await start('nobody')).answer).toEqual({ ...refusedStart, message: unknown.message });
      await stage.person(people, 'unkeyed');
      expect((await start('unkeyed')).answer).toEqual({ ...refusedStart, message: unenrolled.message });
      expect((await start('x'.repeat(300))).answer).toEqual(badRequest);
      expect((await start('adele', { source: 'here' })).answer).toEqual(serverError);
    });

    it('begins two sessions with a key of two uses, however many ask at once', async () => {
      const { dn } = await named('counted', {}, { maxuse: 2 });
      const answers = await Promise.all(Array.from({ length: 20 }, () => start('counted')));
      const codes = answers.map(({ answer }) => answer.code);
      expect(codes.filter((code) => code === 1)).toHaveLength(2);
      // Refusals that are alike are one event.
      const refusals = node.events().filter(({ text }) => /counted".*refused/.test(text));
      expect(refusals.map(({ count }) => count)).toEqual([18]);
      expect(answers.find(({ answer }) => answer.code === 0)?.answer).toEqual({
        ...refusedStart,
        message: unenrolled.message,
      });
      // What goes on in a session is no use of the key.
      const session = answers.find(({ answer }) => answer.code === 1)?.session;
      expect(await ssh().sessionUpdate({ session })).toMatchObject(ok);
      expect(await ssh().authorizedKeys({ username: 'counted' })).toMatchObject({
        ...unenrolled,
        publicKeys: '',
      });
      await stage.manager.SshKey.Key_Restrict({ dn, maxuse: 1 });
      expect(await ssh().authorizedKeys({ username: 'counted' })).toMatchObject(ok);
      expect([(await start('counted')).answer.code, (await start('counted')).answer.code]).toEqual([1, 0]);
    });
  });

  describe('the deployed dialect', () => {
    const caller = { address: '127.0.0.1', port: 40_000 };
    const rest = async (operation: string, fields: object) => {
      const { body } = await deployed.service.web.answer({
        ...{ method: 'POST', url: new URL(`https://localhost/sshkey/json/${operation}/`), ...caller },
        headers: new Headers({ 'content-type': 'application/json' }),
        body: async () => Buffer.from(JSON.stringify(fields)),
      });
      return JSON.parse(String(body));
    };
    const soap = async (operation: string, fields: object) => {
      const inner = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
      const envelope = `<E:Envelope xmlns:E="http://schemas.xmlsoap.org/soap/envelope/"><E:Body><${operation}>${inner.join('')}</${operation}></E:Body></E:Envelope>`;
      const { body } = await deployed.service.web.answer({
        ...{ method: 'POST', url: new URL('https://localhost/sshkey/'), ...caller },
        headers: new Headers({ 'content-type': 'text/xml' }),
        body: async () => Buffer.from(envelope),
      });
      const [, answer] = /<ns1:\w+Response [^>]*>(.*)<\/ns1:/.exec(String(body)) ?? [];
      return answer;
    };
    const textsOf = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, '']));
    const noTerms = { session: '', ...neutral };
    const noKeys = { publicKeys: '', backupKeys: '' };

    it.each([
      ['sshkeyNSSList', { database: 'user', domain: 'Elsewhere' }, { ...serverError, data: [] }],
      ['sshkeyNSSInfo', { database: 'user' }, { ...badRequest, data: {} }],
      ['sshkeyAuthorizedKeys', { source: 'here' }, { ...badRequest, ...noKeys, keyFiles: '' }],
      ['sshkeyRecoveryKeys', { source: 'here' }, { ...serverError, backupKeys: '' }],
      ['sshkeySudoers', { username: 'nobody' }, { ...serverError, ...textsOf('sudoAdvanced sudoCommands') }],
      ['sshkeySessionStart', {}, { ...badRequest, ...noTerms, ...noKeys }],
      ['sshkeySessionUpdate', { session: 'short' }, { ...noSession, ...noTerms }],
      ['sshkeySessionLogin', { session: 'short' }, noSession],
      ['sshkeySessionUnlock', { session: 'short' }, { ...noSession, ...noTerms }],
      ['sshkeyPasswordChange', { session: 'short' }, noSession],
    ])('refuses with all fields of %s, empty, zero or false', async (operation, fields, answer) => {
      expect(await rest(operation, fields)).toEqual(answer);
      const written = Object.entries(answer).map(([name, value]) =>
        ['', '[]', '{}'].includes(typeof value === 'object' ? JSON.stringify(value) : value.toString())
          ? `<${name}/>`
          : `<${name}>${value}</${name}>`,
      );
      expect((await soap(operation, fields))?.match(/<(\w+)(?:\/>|>.*?<\/\1>)/g)?.sort()).toEqual(
        written.sort(),
      );
    });

    it('begins no session of an unknown user, and gives no recovery keys', async () => {
      const answer = { ...unknown, code: 0, error: 'RequestFailed', ...noTerms, ...noKeys };
      expect(await rest('sshkeySessionStart', { username: 'nobody' })).toEqual(answer);
      expect((await start('nobody')).answer).toMatchObject({ backupKeys: recovery });
    });

    it('answers an unlocked session with all fields of the operation', async () => {
      await named('reopened');
      const { session } = await rest('sshkeySessionStart', { username: 'reopened' });
      const answer = { ...ok, ...noTerms };
      expect(await rest('sshkeySessionUnlock', { session, password })).toEqual(answer);
      expect(await rest('sshkeySessionUpdate', { session })).toEqual(answer);
      expect(await rest('sshkeySessionUnlock', { session, password: 'wrong' })).toEqual(wrongPassword);
    });
  });

  describe('the password in a session', () => {
    it('unlocks', async () => {
      await named('locked');
      const session = await begun('locked');
      for (const judge of ['sessionUnlock', 'sessionLogin'] as const) {
        expect(await ssh()[judge]({ session, password: 'wrong' })).toEqual(wrongPassword);
        expect(await ssh()[judge]({ session })).toEqual(wrongPassword);
      }
      expect(await ssh().sessionLogin({ session, password })).toEqual(ok);
      expect(await ssh().sessionUnlock({ session, password })).toEqual({ ...ok, session, ...neutral });
      expect(
        logged().filter((text) => text.includes('locked') && text.includes('granted by password')),
      ).toHaveLength(2);
    });

    it('unlocks with a one-time password behind it where RequireMFA wants one, each once', async () => {
      const { dn } = await named('careful', { 'SshKey.RequireMFA': 'Yes', 'Otp.LoginMode': 'LDAP' });
      await stage.manager.Otp.Emerg_Register({ dn, otp: '123456', maxuse: 1 });
      const session = await begun('careful');
      expect(await ssh().sessionUnlock({ session, password })).toEqual(wrongPassword);
      expect(await ssh().sessionUnlock({ session, password: `${password}654321` })).toEqual(wrongPassword);
      const all = await Promise.all(
        Array.from({ length: 5 }, () => ssh().sessionUnlock({ session, password: `${password}123456` })),
      );
      expect(all.filter(({ code }) => code === 1)).toHaveLength(1);
      expect(await ssh().sessionUnlock({ session, password: `${password}123456` })).toEqual(wrongPassword);
    });

    it('does not unlock by a password that replaces all factors elsewhere', async () => {
      const { dn } = await named('lent', { 'SshKey.RequireMFA': 'Yes' });
      await stage.manager.Otp.TmpKey_Register({ dn, password: 'lent for an hour' });
      const session = await begun('lent');
      const stands = { session, password: 'lent for an hour' };
      expect(await ssh().sessionUnlock(stands)).toEqual(wrongPassword);
      expect(await ssh().sessionLogin(stands)).toEqual(wrongPassword);
    });

    it('unlocks with the password and a TOTP code, which another login cannot use again', async () => {
      const { dn } = await named('timely', { 'SshKey.RequireMFA': 'Yes' });
      const key = Buffer.from('a secret of 20 bytes');
      await stage.manager.Otp.TOTP_Register({ dn, key: key.toString('base64') });
      const session = await begun('timely');
      const otp = totp({ secret: createSecretKey(key), digits: 6, period: 30 }, node.clock.now());
      expect(await ssh().sessionUnlock({ session, password: `${password}${otp}` })).toMatchObject(ok);
      expect(await ssh().sessionUnlock({ session, password: `${password}${otp}` })).toEqual(wrongPassword);
      const again = { username: 'timely', ldapPassword: password, otpPassword: otp };
      expect(await node.service.web.otp.normalLogin(again)).toMatchObject({ code: 0, error: 'AuthFailed' });
    });

    // The embedded directory has no policy of passwords.
    if (engine === 'OpenLDAP')
      it('changes the password under the policy of the directory', async () => {
        await named('ruled', { 'SshKey.PasswordChange': 'Yes' });
        const policies = `ou=policies,${stage.base}`;
        await stage.manager.Create_LDAP_Object({
          dn: policies,
          attrs: { objectclass: 'organizationalUnit' },
        });
        await stage.manager.Create_LDAP_Object({
          dn: `cn=default,${policies}`,
          attrs: {
            ...{ objectclass: ['device', 'pwdPolicy'], pwdattribute: 'userPassword', pwdcheckquality: '2' },
            ...{ pwdminlength: '12', pwdinhistory: '3' },
          },
        });
        const session = await begun('ruled');
        const change = (oldPassword: string, newPassword: string) =>
          ssh().passwordChange({ session, oldPassword, newPassword });
        const policy = { code: 0, error: 'PasswordPolicy' };
        expect(await change(password, 'short')).toMatchObject(policy);
        expect(await change(password, 'Another-Horse-8')).toEqual(ok);
        expect(await change('Another-Horse-8', password)).toMatchObject(policy);
        expect(await change('Another-Horse-8', 'A-Third-Horse-9')).toEqual(ok);
        await stage.manager.Remove_LDAP_Object({ dn: `cn=default,${policies}` });
      });

    it('applies the limits of a login: five wrong passwords refuse the right one', async () => {
      await named('guessed');
      const session = await begun('guessed');
      for (let n = 0; n < 5; n += 1)
        expect(await ssh().sessionUnlock({ session, password: `${n}` })).toEqual(wrongPassword);
      expect(await ssh().sessionUnlock({ session, password })).toEqual(wrongPassword);
      node.clock.advance(300_000);
      expect(await ssh().sessionUnlock({ session, password })).toMatchObject(ok);
    });

    it('changes the password for the user, if the settings allow it', async () => {
      const { dn } = await named('changer');
      const session = await begun('changer');
      const change = (oldPassword: string, newPassword: string) =>
        ssh().passwordChange({ session, oldPassword, newPassword });
      expect(await change(password, 'Another-Horse-8')).toEqual(badRequest);
      await stage.manager.Set_User_Settings({ dn, settings: { 'SshKey.PasswordChange': true } });
      expect(await change('wrong', 'Another-Horse-8')).toEqual(wrongPassword);
      const policy = {
        code: 0,
        error: 'PasswordPolicy',
        message: 'Password does not match the password policy',
      };
      expect(await change(password, password)).toEqual(policy);
      expect(await change(password, '')).toEqual(policy);
      expect(await change(password, 'Another-Horse-8')).toEqual(ok);
      expect(await ssh().sessionUnlock({ session, password })).toEqual(wrongPassword);
      expect(await ssh().sessionUnlock({ session, password: 'Another-Horse-8' })).toMatchObject(ok);
    });
  });

  describe('the name service', () => {
    const posix = (uidnumber: number) => ({
      objectclass: ['inetOrgPerson', 'webadmAccount', 'posixAccount'],
      ...{ uidnumber, gidnumber: 5000, homedirectory: `/home/${uidnumber}` },
    });
    let before: number;
    beforeAll(async () => {
      const { data = [] } = { data: [], ...(await ssh().nssList({ database: 'user' })) };
      before = data.length;
      const zoe = await stage.person(people, 'zoe', { ...posix(5001), loginshell: '/bin/zsh' });
      // Not activated: a system has to know whose files they are all the same.
      await stage.person(people, 'yan', { ...posix(5002), objectclass: ['inetOrgPerson', 'posixAccount'] });
      await stage.manager.Create_LDAP_Object({
        dn: `cn=staff,${people}`,
        attrs: { objectclass: 'posixGroup', gidnumber: '5000', memberuid: ['yan', 'zoe', 'somebody'] },
      });
      await stage.manager.Create_LDAP_Object({
        dn: `cn=empty,${people}`,
        attrs: { objectclass: 'posixGroup', gidnumber: '5009' },
      });
      await stage.manager.Create_LDAP_Object({
        dn: `cn=named,${people}`,
        attrs: { objectclass: 'posixGroup', gidnumber: '5010', memberuid: ['zoe'] },
      });
      for (const [uid, uidnumber, gidnumber] of [
        ['xen', '5003', '5000'],
        ['walt', '5004', '5010'],
        ['vera', '5005', '5010'],
      ] as const)
        await stage.person(people, uid, { ...posix(5001), uidnumber, gidnumber });
      expect(zoe).toContain('uid=zoe');
    });
    const zoe = { name: 'zoe', uid: 5001, gid: 5000, home: '/home/5001', shell: '/bin/zsh' };
    const yan = { name: 'yan', uid: 5002, gid: 5000, home: '/home/5002', shell: '' };
    const staff = { name: 'staff', gid: 5000, members: ['yan', 'zoe', 'somebody', 'xen'] };
    const named = { name: 'named', gid: 5010, members: ['zoe', 'walt', 'vera'] };
    const empty = { name: 'empty', gid: 5009, members: [] };
    const other = (name: string, uid: number, gid: number) => ({
      name,
      uid,
      gid,
      home: '/home/5001',
      shell: '',
    });
    const [xen, walt, vera] = [
      other('xen', 5003, 5000),
      other('walt', 5004, 5010),
      other('vera', 5005, 5010),
    ];

    it('lists users and groups, active or not', async () => {
      expect(before).toBe(0);
      expect(await ssh().nssList({ database: 'user' })).toEqual({ ...ok, data: [vera, walt, xen, yan, zoe] });
      expect(await ssh().nssList({ database: 'group', domain: 'default' })).toEqual({
        ...ok,
        data: [empty, named, staff],
      });
    });

    it.each([
      [{ database: 'user', name: 'zoe' }, zoe],
      [{ database: 'user', id: 5002 }, yan],
      [{ database: 'group', name: 'staff' }, staff],
      [{ database: 'group', name: 'named' }, named],
      [{ database: 'group', id: 5009 }, empty],
      [{ database: 'user', name: 'nobody' }, {}],
      [{ database: 'user', name: '*' }, {}],
      [{ database: 'group', id: 1 }, {}],
    ])('tells of %j', async (request, data) => {
      expect(await ssh().nssInfo(request)).toEqual({ ...ok, data });
    });

    it.each([
      [{ database: 'user' }, badRequest],
      [{ database: 'user', name: 'zoe', id: 5001 }, badRequest],
      [{ database: 'host', name: 'zoe' }, badRequest],
      [{ database: 'user', name: 'zoe', domain: 'Elsewhere' }, serverError],
      [{ database: 'user', name: 'zoe', source: 'here' }, serverError],
    ])('refuses %j', async (request, answer) => {
      expect(await ssh().nssInfo(request)).toEqual(answer);
    });

    it('refuses a list of what is no database, or of an unknown domain', async () => {
      expect(await ssh().nssList({})).toEqual(badRequest);
      expect(await ssh().nssList({ database: 'user', domain: 'Elsewhere' })).toEqual(serverError);
    });
  });
});
