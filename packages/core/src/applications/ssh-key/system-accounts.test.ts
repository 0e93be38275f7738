/** Names and numbers that systems take for their own: no user of ours logs in by one, and no system gets one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, type ServiceConfigInput } from '../../config/config.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { readServiceConfig } from '../../index.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';

const unknown = { code: 1, message: 'Invalid user or user not found', publicKeys: '' };
const nothing = { code: 1, error: '', message: 'Operation success', data: {} };
const serverError = { code: 0, error: 'ServerError', message: 'Server error' };

describe.each(engines)('the web service sshkey: %s', (engine) => {
  let stage: Stage;
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    people = await stage.container();
  });
  afterAll(() => stage.close());

  const ssh = (node: Fixture = stage.fixture) => node.service.web.sshkey;
  const account = (uid: string, more: Record<string, string | string[]> = {}) =>
    stage.manager.Create_LDAP_Object({
      dn: `uid=${uid.replace(/[,+"\\<>;=#]/g, '\\$&')},${people}`,
      attrs: {
        objectclass: ['inetOrgPerson', 'posixAccount', 'webadmAccount'],
        ...{ uid, cn: uid, sn: uid, uidnumber: '5000', gidnumber: '5000', homedirectory: `/home/x` },
        ...more,
      },
    });
  const group = (cn: string, attrs: Record<string, string | string[]>) =>
    stage.manager.Create_LDAP_Object({
      dn: `cn=${cn},${people}`,
      attrs: { objectclass: 'posixGroup', gidnumber: '6000', ...attrs },
    });
  const withKey = async (dn: string) => {
    await stage.manager.SshKey.Key_Register({ dn, type: 'ED25519' });
    await stage.manager.Set_User_Settings({ dn, settings: { 'SshKey.SudoCommands': 'ALL' } });
  };
  const users = async (node?: Fixture) => {
    const { data = [] } = { data: [], ...(await ssh(node).nssList({ database: 'user' })) };
    return data.map(({ name }) => name);
  };
  const groups = async () => {
    const { data = [] } = { data: [], ...(await ssh().nssList({ database: 'group' })) };
    return data;
  };

  it.each(['root', 'Proxy', 'daemon', 'www-data', 'systemd-resolve', '_apt', 'sudo', '0', '999'])(
    'knows nobody by the name %s, which is a system’s own',
    async (uid) => {
      expect(await account(uid)).toBe(1);
      await withKey(`uid=${uid},${people}`);
      expect(await ssh().authorizedKeys({ username: uid })).toMatchObject(unknown);
      expect(await ssh().authorizedKeys({ username: `Default\\${uid}` })).toMatchObject(unknown);
      expect(await ssh().sudoers({ username: uid })).toEqual(serverError);
      const started = await ssh().sessionStart({ username: uid, server: 'web1' });
      expect(started).toMatchObject({ code: 0, error: 'RequestFailed', message: unknown.message });
      expect(await ssh().nssInfo({ database: 'user', name: uid })).toEqual(nothing);
      expect(await users()).not.toContain(uid);
    },
  );

  it('reads no entry once more for its numbers', async () => {
    await account('once');
    await withKey(`uid=once,${people}`);
    const { directory } = stage.fixture;
    const ask = () => ssh().authorizedKeys({ username: 'once' });
    expect(await ask()).toMatchObject({ message: 'Operation success' });
    directory.takeAsked();
    await ask();
    const asked = directory.takeAsked();
    expect(asked).toContain('service.search');
    expect(asked).not.toContain('service.read');
  });

  it.each([
    ...[
      '%wheel',
      '+net',
      '-x',
      '#0',
      '!x',
      '@x',
      '../x',
      'a b',
      'a=b',
      'a/b',
      'a$',
      'a*',
      'zoë',
      'ａｌｉｃｅ',
    ],
    ...['12345', '4711x', '\\x', 'a;b', '"a"'],
  ])('knows nobody by the name %s, which is none of an account', async (uid) => {
    expect(await account(uid)).toBe(1);
    const dn = Dn.parse(people).child([{ type: 'uid', value: uid }]);
    await withKey(dn.toString());
    expect(await ssh().authorizedKeys({ username: uid })).toMatchObject(unknown);
    expect(await ssh().sudoers({ username: uid })).toEqual(serverError);
    expect(await ssh().nssInfo({ database: 'user', name: uid })).toEqual(nothing);
    expect(await users()).not.toContain(uid);
    await group(uid.replace(/[,+"\\<>;=#]/g, '\\$&'), { memberuid: ['yan'] });
    expect((await groups()).map(({ name }) => name)).not.toContain(uid);
    // OpenLDAP takes no memberUid that is not IA5String.
    const isGroup = await group('with-such', { memberuid: ['yan', uid] }).catch(() => 0);
    expect((await groups()).flatMap(({ members }) => members)).not.toContain(uid);
    if (isGroup) await stage.manager.Remove_LDAP_Object({ dn: `cn=with-such,${people}` });
  });

  it.each(['Alice.B', 'a-1', 'a_b', 'alice@example.org', 'A1'])('knows an account %s', async (uid) => {
    expect(await account(uid)).toBe(1);
    await withKey(`uid=${uid},${people}`);
    expect(await ssh().authorizedKeys({ username: uid })).toMatchObject({ message: 'Operation success' });
    expect(await users()).toContain(uid);
  });

  it('gives the key of a user for none of its other names that is a system’s own', async () => {
    await account('twice', { uid: ['twice', 'toor'] });
    await withKey(`uid=twice,${people}`);
    expect(await ssh().authorizedKeys({ username: 'twice' })).toMatchObject({ message: 'Operation success' });
    for (const username of ['toor', 'TOOR', ' toor '])
      expect(await ssh().authorizedKeys({ username })).toMatchObject(unknown);
    expect(await ssh().nssInfo({ database: 'user', name: 'toor' })).toEqual(nothing);
  });

  it.each([
    ['uid 0', { uidnumber: '0' }],
    ['a uid below the least', { uidnumber: '999' }],
    ['gid 0', { gidnumber: '0' }],
    ['a gid below the least', { gidnumber: '27' }],
    ['the uid that is no change', { uidnumber: '65535' }],
  ])('knows nobody with %s', async (title, numbers) => {
    const uid = `n${title.replaceAll(' ', '-')}`;
    await account(uid, numbers);
    await withKey(`uid=${uid},${people}`);
    expect(await ssh().authorizedKeys({ username: uid })).toMatchObject(unknown);
    expect(await ssh().sudoers({ username: uid })).toEqual(serverError);
    expect(await ssh().nssInfo({ database: 'user', name: uid })).toEqual(nothing);
    const id = Number(Object.values(numbers)[0]);
    if ('uidnumber' in numbers) expect(await ssh().nssInfo({ database: 'user', id })).toEqual(nothing);
    expect(await users()).not.toContain(uid);
  });

  it.each([
    ['a home with a colon', { homedirectory: '/home/x:/bin/sh' }],
    ['a home of two lines', { homedirectory: '/home/x\nroot2:x:0:0::/root' }],
    ['a shell with a colon', { loginshell: '/bin/sh:x' }],
    ['a shell of two lines', { loginshell: '/bin/sh\nroot2:x:0:0::/root:/bin/sh' }],
  ])('tells no system of an account with %s', async (title, fields) => {
    const uid = `f${title.replaceAll(' ', '-')}`;
    // OpenLDAP takes none of these for an IA5String with a line end, but others do.
    const isMade = await account(uid, fields).catch(() => 0);
    expect(isMade === 1 || engine !== 'embedded').toBe(true);
    if (isMade === 1) expect(await ssh().nssInfo({ database: 'user', name: uid })).toEqual(nothing);
    expect(await users()).not.toContain(uid);
  });

  it.each(['a:b', 'a,b', 'a\nb', 'a\tb'])('tells no system of an account %j', async (uid) => {
    const isMade = await account(uid).catch(() => 0);
    expect(isMade === 1 || engine !== 'embedded').toBe(true);
    expect(await ssh().nssInfo({ database: 'user', name: uid })).toEqual(nothing);
    expect(await users()).not.toContain(uid);
  });

  it('tells of a group its members only that are one word of its line, and no system’s own', async () => {
    await group('builders', { memberuid: ['yan', 'a:b', 'a,root', 'root', 'a\nwheel:x:10:eve', 'daemon'] });
    expect(await groups()).toContainEqual({ name: 'builders', gid: 6000, members: ['yan'] });
    const { data } = { data: {}, ...(await ssh().nssInfo({ database: 'group', name: 'builders' })) };
    expect(data).toMatchObject({ members: ['yan'] });
  });

  it.each([
    ['wheel', {}],
    ['sudo', {}],
    ['a:b', {}],
    ['below', { gidnumber: '999' }],
    ['none', { gidnumber: '0' }],
  ])('tells no system of a group %s %o', async (cn, numbers) => {
    await group(cn, numbers);
    expect((await groups()).map(({ name }) => name)).not.toContain(cn);
    expect(await ssh().nssInfo({ database: 'group', name: cn })).toEqual(nothing);
  });

  it('applies the settings of the installation, and none of an entry', async () => {
    const settings = { 'SshKey.ReservedNames': 'root, db*', 'SshKey.MinUID': '100', 'SshKey.MinGID': '50' };
    const node = await stage.fixture.another({ config: { settings }, ports: () => stage.ports });
    await account('backup', { uidnumber: '101', gidnumber: '100' });
    await account('dbadmin');
    expect(await users(node)).toContain('backup');
    expect(await users(node)).not.toContain('dbadmin');
    expect(await users()).not.toContain('backup');
    const dn = `uid=backup,${people}`;
    await withKey(dn);
    expect(await ssh(node).authorizedKeys({ username: 'backup' })).toMatchObject({ error: '', code: 1 });
    for (const [name, value] of Object.entries(settings)) {
      const set = stage.manager.Set_User_Settings({ dn, settings: { [name]: value } });
      await expect(set).rejects.toMatchObject({ reason: 'invalid_params' });
    }
    const values = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    await stage.fixture.directory.service.modify(Dn.parse(dn), [
      { operation: 'replace', attribute: 'webadmSettings', values },
    ]);
    expect(await ssh().authorizedKeys({ username: 'backup' })).toMatchObject(unknown);
    expect(await stage.manager.Get_User_Settings({ dn, settings: ['SshKey.MinUID'] })).toEqual({
      'SshKey.MinUID': '1000',
    });
    await node.close();
  });
});

describe('the configuration', () => {
  const faultsOf = (raw: Partial<ServiceConfigInput>): string => {
    try {
      readServiceConfig({ domains: { Default: { base: 'dc=example,dc=org' } }, ...raw });
      return '';
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  };

  it('has the rules for all, and a client has none of its own', () => {
    const settings = { 'SshKey.MinUID': '500' };
    expect(faultsOf({ settings })).toBe('');
    expect(faultsOf({ clients: { web: { settings } } })).toContain('is the same for all');
    expect(faultsOf({ settings: { 'SshKey.MinUID': '0' } })).toContain('is not an integer from 1');
    expect(faultsOf({ settings: { 'SshKey.ReservedNames': 'root,,a b' } })).toContain(
      'is not a list of names',
    );
  });
});
