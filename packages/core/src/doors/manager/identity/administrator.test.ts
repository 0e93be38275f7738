/** Administrators let in and kept out: modes, domains, super_admins, and what a login costs; limits.test.ts has the limits. */
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../node/src/machine/index.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { BindResult } from '../../../ports/directory/directory.ts';
import { startSlapd } from '../../../testing/bed/engines/slapd.ts';
import { basic, type Fixture, type FixtureOptions, openFixture } from '../../../testing/bed/fixture.ts';
import { WatchedDirectory } from '../../../testing/watched-directory.ts';
import { basicCredentials } from './credentials.ts';

const fixtures: Fixture[] = [];
async function open(options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = await openFixture(options);
  fixtures.push(fixture);
  return fixture;
}
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.close();
});

const status = { jsonrpc: '2.0', id: 1, method: 'Server_Status' };
/** `in`, or the reason why not. */
async function outcome(
  fixture: Fixture,
  credentials: { username: string; password: string },
  address?: string,
): Promise<string> {
  const asking = { body: status, as: credentials, ...(address !== undefined && { address }) };
  const { body } = await fixture.answer(asking);
  if (!body || Array.isArray(body)) return 'no answer';
  return 'error' in body ? body.error.reason : 'in';
}

describe('mode UID', () => {
  it('takes a login name of the default domain, or of the domain named', async () => {
    const base = 'dc=example,dc=org';
    const domains = {
      Default: { base },
      Staff: { base: `ou=people,${base}` },
      Guests: { base: `ou=groups,${base}` },
    };
    const fixture = await open({ config: { domains } });
    const { password } = fixture.admin;
    for (const username of ['admin', 'ADMIN', 'Default\\admin', 'staff\\admin'])
      expect([username, await outcome(fixture, { username, password })]).toEqual([username, 'in']);
    for (const username of ['Guests\\admin', 'Nowhere\\admin', '\\admin', 'Default\\', '', fixture.admin.dn])
      expect([
        username,
        await outcome(fixture, { username, password }, `2001:db8:${username.length}::1`),
      ]).toEqual([username, 'credentials_refused']);
  });

  it('takes names and passwords in UTF-8, with colons in the password', async () => {
    const fixture = await open();
    const password = 'Пароль: 🔑 ünïcode ';
    const dn = Dn.parse(fixture.admin.dn);
    await fixture.ports.directory.service.modify(dn, [
      { operation: 'add', attribute: 'uid', values: ['Zoë'] },
    ]);
    await fixture.ports.directory.service.setPassword(dn, password, { mustChange: false });
    expect(await outcome(fixture, { username: 'Zoë', password })).toBe('in');
    expect(await outcome(fixture, { username: 'Zoë', password: password.trim() })).toBe(
      'credentials_refused',
    );
  });

  it('does not let a login name be a filter', async () => {
    const fixture = await open();
    for (const username of ['*', 'adm*', 'admin)(uid=*', '(uid=admin)', 'admin\0', '\\2a'])
      expect(await outcome(fixture, { ...fixture.admin, username }, `192.0.2.${username.length}`)).toBe(
        'credentials_refused',
      );
  });
});

describe('mode DN', () => {
  it('takes the DN in any spelling, and nothing else', async () => {
    const fixture = await open({ config: { manager_auth: 'DN' } });
    const { dn, password } = fixture.admin;
    for (const username of [dn, dn.toUpperCase(), dn.replaceAll(',', ' , ')])
      expect(await outcome(fixture, { username, password })).toBe('in');
    for (const username of ['admin', 'Default\\admin', '', `cn=x,${dn}`, 'dc=example,dc=org'])
      expect(await outcome(fixture, { username, password }, `192.0.2.${username.length}`)).toBe(
        'credentials_refused',
      );
  });
});

describe('super_admins', () => {
  it('are users and members of groups', async () => {
    const { alice, bob } = (await open()).users;
    const fixture = await open({
      config: { super_admins: [alice.dn, 'cn=administrators,ou=groups,dc=example,dc=org'] },
    });
    expect(await outcome(fixture, alice)).toBe('in');
    expect(await outcome(fixture, fixture.admin)).toBe('in');
    expect(await outcome(fixture, bob)).toBe('credentials_refused');
  });

  it('are nobody where none is named, or where the group is missing', async () => {
    const none = await open({ config: { super_admins: [] } });
    expect(await outcome(none, none.admin)).toBe('credentials_refused');
    const missing = await open({ config: { super_admins: ['cn=gone,dc=example,dc=org'] } });
    expect(await outcome(missing, missing.admin)).toBe('credentials_refused');
    expect(missing.directory.open).toBe(0);
  });
});

describe('credentials', () => {
  it.each([
    ['standard', 401, -32001],
    ['deployed', 200, -32600],
  ] as const)('that are wrong are refused in the dialect %s', async (dialect, http, code) => {
    const fixture = await open({ config: { dialect } });
    const response = await fixture.answer({ body: status, as: { username: 'admin', password: 'wrong' } });
    expect(response.status).toBe(http);
    expect('www-authenticate' in response.headers).toBe(http === 401);
    expect(response.body).toEqual({
      jsonrpc: '2.0',
      error: { code, message: 'Invalid username or password', reason: 'credentials_refused' },
      id: null,
    });
  });

  it.each([
    ['standard', -32001],
    ['deployed', -32600],
  ] as const)('that are missing are asked for in the dialect %s', async (dialect, code) => {
    const fixture = await open({ config: { dialect } });
    for (const asking of [
      { as: null },
      { as: null, cookie: '0'.repeat(32) },
      { as: null, cookie: 'nonsense' },
    ]) {
      const response = await fixture.answer({ body: status, ...asking });
      expect(response).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="Manager", charset="UTF-8"' },
        body: { jsonrpc: '2.0', error: { code, reason: 'credentials_refused' }, id: null },
      });
    }
  });

  it('that are not in UTF-8 are refused in words, and counted as nobody’s failure', async () => {
    const fixture = await open();
    const authorization = `Basic ${Buffer.from('admin:gr\u00fcn', 'latin1').toString('base64')}`;
    const before = fixture.events().length;
    const { status: code, body } = await fixture.answer({ body: status, authorization });
    expect([code, JSON.stringify(body)]).toEqual([401, expect.stringContaining('not in UTF-8 (RFC 7617)')]);
    expect(fixture.events()).toHaveLength(before);
  });

  it('that are wrong or missing get no body read', async () => {
    const fixture = await open();
    let reads = 0;
    const request = {
      body: async () => {
        reads += 1;
        return Buffer.from(JSON.stringify(status));
      },
      ...{ cookie: undefined, address: '192.0.2.1', port: 1, closing: false },
    };
    const wrong = basic({ username: 'admin', password: 'wrong' });
    for (const authorization of [undefined, 'Bearer x', wrong, basic(fixture.users.alice)])
      await fixture.service.manager.answer({ ...request, authorization });
    expect(reads).toBe(0);
    await fixture.service.manager.answer({ ...request, authorization: basic(fixture.admin) });
    expect(reads).toBe(1);
  });

  it.each([
    '',
    'Basic',
    'Basic ',
    'Bearer abc',
    'Basic ???',
    'Basic bm9jb2xvbg==',
    'Digest username="admin"',
    'Basic /zp4',
  ])('that are no Basic login (%j) are refused at no cost', async (authorization) => {
    const fixture = await open();
    const { body } = await fixture.answer({ body: status, authorization });
    expect(body).toMatchObject({ error: { reason: 'credentials_refused' } });
    expect(fixture.directory.asked).toEqual([]);
  });

  it('that must be changed first let nobody in', async () => {
    const fixture = await open();
    const password = 'given-by-the-helpdesk';
    await fixture.ports.directory.service.setPassword(Dn.parse(fixture.admin.dn), password, {
      mustChange: true,
    });
    expect(await outcome(fixture, { username: 'admin', password })).toBe('credentials_refused');
    expect(fixture.directory.open).toBe(0);
  });

  it('that are empty or endless are refused', async () => {
    const fixture = await open();
    expect(await outcome(fixture, { username: 'admin', password: '' })).toBe('credentials_refused');
    expect(await outcome(fixture, { username: 'admin', password: 'x'.repeat(5000) })).toBe(
      'credentials_refused',
    );
    expect(await outcome(fixture, { username: 'x'.repeat(5000), password: 'x' })).toBe('credentials_refused');
  });
});

describe('wrong credentials', () => {
  it('cost what right ones cost', async () => {
    const fixture = await open();
    const work: Record<string, readonly string[]> = {};
    for (const [name, credentials] of Object.entries({
      right: fixture.admin,
      wrong: { username: 'admin', password: 'wrong' },
      unknown: { username: 'nobody', password: 'wrong' },
      elsewhere: { username: 'Nowhere\\admin', password: 'wrong' },
    })) {
      fixture.directory.takeAsked();
      await fixture.call('Check_LDAP_Object', { dn: fixture.admin.dn }, { as: credentials });
      work[name] = fixture.directory.takeAsked();
    }
    const judged = ['service.search', 'bind'];
    expect(work).toEqual({
      right: [...judged, 'service.search', 'read', 'close'],
      wrong: judged,
      unknown: judged,
      elsewhere: judged,
    });
  });

  it('are answered after a second', async () => {
    const fixture = await open();
    await outcome(fixture, fixture.admin);
    expect(fixture.clock.slept).toEqual([]);
    await outcome(fixture, { username: 'admin', password: 'wrong' });
    await outcome(fixture, { username: 'nobody', password: 'wrong' });
    expect(fixture.clock.slept).toEqual([1000, 1000]);
  });

  it('leave right ones alone: 100 in parallel all get in', async () => {
    const fixture = await open();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcome(fixture, fixture.admin)));
    expect(new Set(outcomes)).toEqual(new Set(['in']));
    expect(fixture.directory.open).toBe(0);
  });
});

describe('a directory that is away', () => {
  it('is nobody’s failure', async () => {
    const slapd = await startSlapd();
    const { openLdapDirectory } = await import('../../../../../ldap/src/index.ts');
    const fixture = await open({
      config: { super_admins: [slapd.adminDn], manager_auth: 'DN' },
      ports: ({ log }) => ({
        directory: openLdapDirectory(
          {
            urls: [slapd.ldapsUrl],
            ca: slapd.ca,
            bind_dn: slapd.readerDn,
            bind_password: slapd.readerPassword,
            base: slapd.base,
            timeout_ms: 20_000,
          },
          { clock: systemClock, log },
        ),
      }),
    });
    const admin = { username: slapd.adminDn, password: slapd.adminPassword };
    expect(await outcome(fixture, admin)).toBe('in');
    await slapd.halt();
    for (let i = 0; i < 6; i += 1) expect(await outcome(fixture, admin)).toBe('unavailable');
    await slapd.resume();
    expect(await outcome(fixture, admin)).toBe('in');
    await slapd.stop();
  });
});

class UnclosableDirectory extends WatchedDirectory {
  override async bind(dn: Dn, password: string): Promise<BindResult> {
    const bound = await super.bind(dn, password);
    if (!bound.granted) return bound;
    const close = () => Promise.reject(new Error('gone'));
    return { ...bound, directory: { ...bound.directory, close } };
  }
}

describe('a connection that does not close', () => {
  it('costs nobody an answer', async () => {
    const fixture = await open({
      ports: ({ directory }) => ({ directory: new UnclosableDirectory(directory) }),
    });
    expect(await outcome(fixture, fixture.admin)).toBe('in');
    expect(fixture.log.lines).toEqual([expect.objectContaining({ level: 'warn' })]);
  });
});

describe('manager_clients', () => {
  it('are checked before anything costs work', async () => {
    const fixture = await open({ config: { manager_clients: ['198.51.100.0/24'] } });
    let reads = 0;
    const request = {
      body: async () => {
        reads += 1;
        return Buffer.from(JSON.stringify(status));
      },
      authorization: basic(fixture.admin),
      cookie: undefined,
      port: 1,
      closing: false,
    };
    const refused = await fixture.service.manager.answer({ ...request, address: '192.0.2.1' });
    expect(refused).toMatchObject({
      status: 200,
      body: { error: { code: -32003, reason: 'client_refused' }, id: null },
    });
    expect({ reads, asked: fixture.directory.asked }).toEqual({ reads: 0, asked: [] });
    expect(await fixture.service.manager.answer({ ...request, address: '198.51.100.9' })).toMatchObject({
      status: 200,
      body: { result: { status: 1 } },
    });
    expect(reads).toBe(1);
  });

  it('are refused with -32600 in the field', async () => {
    const fixture = await open({ config: { manager_clients: ['portal.example.org'], dialect: 'deployed' } });
    expect(await fixture.answer({ body: status })).toMatchObject({
      status: 200,
      body: { error: { code: -32600, reason: 'client_refused' } },
    });
  });
});

describe('a login in process', () => {
  it('is judged alike, and calls the same methods', async () => {
    const fixture = await open();
    const { manager } = fixture.service;
    await expect(manager.login({ username: 'admin', password: 'wrong' })).rejects.toMatchObject({
      reason: 'credentials_refused',
    });
    await expect(manager.login(fixture.users.alice)).rejects.toMatchObject({ reason: 'credentials_refused' });
    const login = await manager.login(fixture.admin);
    expect(login.administrator).toBe(fixture.admin.dn);
    expect(await login.manager.Get_User_DN({ username: 'alice', domain: 'Default' })).toBe(
      fixture.users.alice.dn,
    );
    await expect(login.manager.Get_User_Attrs({ dn: 'no DN' })).rejects.toMatchObject({
      reason: 'invalid_dn',
    });
    await login.close();
    expect(fixture.directory.open).toBe(0);
  });
});

describe('basicCredentials', () => {
  it('reads what RFC 7617 says', () => {
    expect(basicCredentials('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')).toEqual({
      username: 'Aladdin',
      password: 'open sesame',
    });
    expect(basicCredentials('basic dGVzdDoxMjPCow==')).toEqual({ username: 'test', password: '123£' });
    expect(basicCredentials(basic({ username: '', password: ':::' }))).toEqual({
      username: '',
      password: ':::',
    });
  });
});
