/** Clients of the field ask the SSH public key server over HTTPS: every operation, on the WSDL that the server gives them. */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restClients, soapClients } from './clients.ts';
import { asks, type Served, serveToClients } from './served.ts';

const recovery = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc root@safe';
const password = 'Correct-Hörse-7';

let fixture: Fixture;
let server: Served;
beforeAll(async () => {
  fixture = await openFixture({
    config: { trusted_callers: ['127.0.0.1', '::1'], ssh_recovery_keys: [recovery] },
  });
  await fixture.call('Create_LDAP_Object', {
    dn: `uid=zoe,ou=people,${fixture.base}`,
    attrs: {
      objectclass: ['inetOrgPerson', 'webadmAccount', 'posixAccount'],
      ...{ cn: 'Zoë', sn: 'Z', userpassword: password, uidnumber: '5001', gidnumber: '5000' },
      ...{ homedirectory: '/home/zoe', loginshell: '/bin/zsh' },
    },
  });
  await fixture.call('Create_LDAP_Object', {
    dn: `cn=staff,ou=groups,${fixture.base}`,
    attrs: { objectclass: 'posixGroup', gidnumber: '5000', memberuid: ['yan', 'zoe'] },
  });
  const dn = `uid=zoe,ou=people,${fixture.base}`;
  await fixture.call('SshKey.Key_Register', { dn, type: 'ECC' });
  const settings = {
    'SshKey.SudoCommands': '/usr/bin/id',
    'SshKey.PasswordChange': true,
    'SshKey.RecordAuditLogs': true,
  };
  await fixture.call('Set_User_Settings', { dn, settings });
  server = await serveToClients(fixture);
});
afterAll(() => server.close());

/** As each client hands it on: PHP has an object for a hash, zeep and strong-soap have what stands in the XML. */
const mapsIn = (data: unknown): readonly unknown[] => {
  const text = JSON.stringify(data);
  return ['zoe', 'staff', '/home/zoe', 'yan'].filter((word) => text.includes(word));
};

describe.each(Object.entries({ ...soapClients, ...restClients }))('%s', (name, client) => {
  const ask = asks(client, () => server);
  const caller = { client: null, source: null };

  it('lists posix users and groups, and tells of one', async () => {
    const listed = await ask('sshkeyNSSList', { database: 'user', domain: null, ...caller });
    expect(listed).toMatchObject({ code: 1, message: 'Operation success' });
    expect(mapsIn(listed.data)).toEqual(['zoe', '/home/zoe']);
    const groups = await ask('sshkeyNSSList', { database: 'group', domain: 'Default', ...caller });
    expect(mapsIn(groups.data)).toEqual(['zoe', 'staff', 'yan']);
    const info = { database: 'user', domain: null, name: 'zoe', id: null, ...caller };
    expect(mapsIn((await ask('sshkeyNSSInfo', info)).data)).toEqual(['zoe', '/home/zoe']);
    const nobody = await ask('sshkeyNSSInfo', { ...info, name: 'nobody' });
    expect([nobody.code, mapsIn(nobody.data ?? '')]).toEqual([1, []]);
  });

  it('asks for keys and commands of a user', async () => {
    const who = { username: 'zoe', domain: null, ...caller };
    const keys = await ask('sshkeyAuthorizedKeys', { ...who, settings: null });
    expect(keys).toMatchObject({ code: 1, backupKeys: recovery });
    expect(keys.publicKeys).toMatch(
      /^environment="SSHKEY_USERNAME=zoe",.* ecdsa-sha2-nistp256 \S+ zoe@Default$/,
    );
    expect(await ask('sshkeyRecoveryKeys', caller)).toMatchObject({ code: 1, backupKeys: recovery });
    const sudo = await ask('sshkeySudoers', who);
    expect(sudo).toMatchObject({ code: 1, sudoCommands: 'zoe ALL=(ALL) /usr/bin/id' });
    expect(String((await ask('sshkeyStatus', {})).status)).toBe('true');
  });

  it('has a session, in which the password is judged and changed', async () => {
    const begun = await ask('sshkeySessionStart', {
      ...{
        username: 'zoe',
        identity: null,
        domain: null,
        server: 'web1',
        command: 'id <&>',
        terminal: 'true',
      },
      ...caller,
    });
    expect(begun).toMatchObject({ code: 1, auditd: 'Yes' });
    expect(String(begun.offline)).toBe('false');
    const session = String(begun.session);
    const logs = Buffer.from(`type=EXECVE by ${name}`).toString('base64');
    // PHP encodes base64Binary itself.
    const plain = name === 'PHP SoapClient' ? `type=EXECVE by ${name}` : logs;
    const going = { session, stop: null, data: null, logs: plain };
    expect(await ask('sshkeySessionUpdate', going)).toMatchObject({ code: 1, session });
    expect(fixture.events().at(-1)?.text).toContain(`audit: type=EXECVE by ${name}`);
    const wrong = { code: 2, error: 'AuthFailed', message: 'Invalid password' };
    expect(await ask('sshkeySessionUnlock', { session, password: 'wrong' })).toMatchObject(wrong);
    expect(await ask('sshkeySessionUnlock', { session, password })).toMatchObject({ code: 1 });
    expect(await ask('sshkeySessionLogin', { session, password })).toMatchObject({ code: 1 });
    const change = { session, oldPassword: password, newPassword: password };
    expect(await ask('sshkeyPasswordChange', change)).toMatchObject({ code: 0, error: 'PasswordPolicy' });
    expect(await ask('sshkeyPasswordChange', { ...change, oldPassword: 'wrong' })).toMatchObject(wrong);
    expect(await ask('sshkeySessionUpdate', { ...going, logs: null, stop: 'true' })).toMatchObject({
      code: 1,
    });
    expect(await ask('sshkeySessionUpdate', going)).toMatchObject({ code: 0, error: 'NoSession' });
    fixture.clock.advance(86_400_000);
  });
});

it('whoever has shown nothing is told 401, and nothing of users', async () => {
  const closed = await fixture.another({ config: { trusted_callers: [] } });
  const response = await closed.service.web.answer({
    ...{ method: 'GET', url: new URL('https://localhost:8443/sshkey/json/sshkeyNSSList/?database=user') },
    ...{ headers: new Headers(), address: '192.0.2.1', port: 40_000, body: async () => new Uint8Array() },
  });
  expect(response.status).toBe(401);
  expect(String(response.body)).not.toContain('zoe');
  await closed.close();
});
