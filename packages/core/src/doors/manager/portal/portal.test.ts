/** The Admin Portal's door: who signs in by each of the modes of `admin_auth`, and when a session ends. */
import { createHash, createSecretKey, randomBytes, X509Certificate } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { PeerCertificate } from '../../../foundation/http/http.ts';
import { csrfToken } from '../../../foundation/http/page-session.ts';
import { hotp } from '../../../foundation/oath/hotp.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { SecurityKey } from '../../../testing/bed/engines/security-key.ts';
import { type Enrolment, openEnrolment } from '../../../testing/bed/enrolment.ts';
import { type Fixture, type FixtureOptions, openFixture, type Person } from '../../../testing/bed/fixture.ts';
import { WatchedDirectory } from '../../../testing/watched-directory.ts';

const url = 'https://portal.example.com';
const party = { id: 'example.com', name: 'Example', origins: [url] };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());
// Failures of the test before are forgotten.
beforeEach(() => fixture.clock.advance(3_600_000));

const nodes: Fixture[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
});

/** Another node under another configuration. */
async function node(config: FixtureOptions['config'] = {}): Promise<Fixture> {
  const made = await fixture.another({ config: { manager_clients: ['198.51.100.0/24'], ...config } });
  nodes.push(made);
  return made;
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly cookie?: string;
  readonly address?: string;
  readonly certificate?: PeerCertificate;
}

function requestOf(
  path: string,
  { method = 'POST', body, cookie, address = '192.0.2.1', certificate }: Asked,
) {
  const headers = new Headers({ 'sec-fetch-site': 'same-origin' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (cookie !== undefined) {
    headers.set('cookie', `SVCADMIN=${cookie}`);
    headers.set('x-csrf-token', csrfToken(cookie));
  }
  return {
    ...{ method, headers, address, port: 40_000, certificate },
    url: new URL(path, url),
    body: async () => Buffer.from(JSON.stringify(body)),
  };
}

async function session(at: Fixture, asked: Asked) {
  const {
    status,
    body,
    cookies = [],
  } = await at.service.portal.answerSession(requestOf('/admin/session', asked));
  return {
    ...JSON.parse(String(body)),
    status,
    cookie: /^SVCADMIN=([0-9a-f]+);/.exec(cookies[0] ?? '')?.[1] ?? '',
  };
}

const shown = ({ username, password }: Person, more: object = {}) => ({ username, password, ...more });

async function signedIn(at: Fixture, body: object = shown(at.admin), more: Asked = {}): Promise<string> {
  const answer = await session(at, { body, ...more });
  expect(answer).toMatchObject({ kind: 'signed-in', status: 200 });
  return answer.cookie;
}

/** `in`, the reason of a refused call, or `signed out`. */
async function outcome(at: Fixture, cookie: string, more: Asked = {}, method = 'Check_LDAP_Object') {
  const params = method === 'Check_LDAP_Object' ? { dn: at.users.bob.dn } : undefined;
  const body = { jsonrpc: '2.0', id: 1, method, ...(params && { params }) };
  const response = await at.service.portal.answerCall(requestOf('/admin/rpc', { body, cookie, ...more }));
  if (response.status === 401) return 'signed out';
  if (!response.body || !('result' in response.body)) return JSON.stringify(response.body);
  return 'in';
}

const call = async (method: string, params: object) => {
  const { result, error } = await fixture.call(method, params);
  if (error) throw new Error(`${method}: ${error.reason}: ${error.data}`);
  return result;
};

let hired = 0;
/** Somebody new who is a super administrator, and activated. */
async function hire(): Promise<Person> {
  hired += 1;
  const username = `chief${hired}`;
  const dn = `uid=${username},ou=people,${fixture.base}`;
  const password = 'Ch1ef-of-all';
  const { service } = fixture.ports.directory;
  const attributes = {
    ...{ objectclass: ['inetOrgPerson', 'webadmaccount'], cn: [username], sn: [username] },
    userpassword: [quickHash(password)],
  };
  await service.add(Dn.parse(dn), new Map(Object.entries(attributes)));
  await service.modify(Dn.parse(fixture.administrators), [
    { operation: 'add', attribute: 'member', values: [dn] },
  ]);
  return { dn, username, password };
}

/** `{SSHA}`: made and judged in no time. */
function quickHash(password: string): string {
  const digest = createHash('sha1').update(password).update('salt').digest();
  return `{SSHA}${Buffer.concat([digest, Buffer.from('salt')]).toString('base64')}`;
}

/** Gives somebody a HOTP token of their own. @returns its codes, by the counter */
async function token({ dn }: Person): Promise<(counter: number) => string> {
  const secret = randomBytes(20);
  await call('Otp.HOTP_Register', { dn, key: secret.toString('base64'), counter: 0 });
  return (counter) => hotp({ secret: createSecretKey(secret), digits: 6 }, counter);
}

async function withToken(): Promise<Person & { readonly code: (counter: number) => string }> {
  const person = await hire();
  return { ...person, code: await token(person) };
}

it.each([
  [1, ['username', 'password']],
  [2, ['username', 'password', 'domain']],
])('asks for a domain last, and only where there are several: %i', async (count, fields) => {
  const domains = Object.fromEntries(
    ['Default', 'Other'].slice(0, count).map((name) => [name, { base: fixture.base }]),
  );
  const at = await node({ admin_auth: 'UID', domains, manager_clients: [] });
  expect(await session(at, { method: 'GET' })).toMatchObject({ fields });
});

describe.each(['OTP', 'MFA'] as const)('mode %s', (admin_auth) => {
  it('wants the password and a code, together or one after the other', async () => {
    const at = await node({ admin_auth });
    const chief = await withToken();
    expect(await session(at, { method: 'GET' })).toMatchObject({
      ...{ signedIn: false, mode: admin_auth, fields: ['username', 'password', 'otp'] },
    });
    const first = await signedIn(at, shown(chief, { otp: chief.code(0) }));
    expect(await outcome(at, first)).toBe('in');
    const challenge = await session(at, { body: shown(chief) });
    expect(challenge).toMatchObject({ kind: 'challenge', status: 200, message: 'Enter your TOKEN password' });
    const answer = { session: challenge.session, username: chief.username, otp: chief.code(1) };
    const second = await signedIn(at, answer);
    expect(await outcome(at, second)).toBe('in');
    expect(at.countEvents(`${chief.dn}: signed in to the admin portal`)).toBe(2);
    // Each code once, and each challenge.
    expect(await session(at, { body: shown(chief, { otp: chief.code(1) }) })).toMatchObject({ status: 401 });
    expect(await session(at, { body: answer })).toMatchObject({ status: 401, reason: 'not_found' });
  });

  it('lets in nobody with less, nor anybody who is no administrator', async () => {
    const at = await node({ admin_auth });
    const chief = await withToken();
    for (const body of [
      shown(chief, { otp: '000000' }),
      shown({ ...chief, password: 'wrong' }, { otp: chief.code(0) }),
      shown({ ...chief, password: 'wrong' }),
      { username: chief.username, otp: chief.code(0) },
    ])
      expect(await session(at, { body })).toMatchObject({
        status: 401,
        reason: 'credentials_refused',
        cookie: '',
      });
    const { alice } = at.users;
    await fixture.call('Activate_LDAP_Object', { dn: alice.dn });
    const code = await token(alice);
    const none = await session(at, { body: shown(alice, { otp: code(0) }) });
    expect(none).toMatchObject({ status: 401, reason: 'credentials_refused', cookie: '' });
    expect(
      at.countEvents('"alice" to the admin portal: refused: this account is not an administrator'),
    ).toBeGreaterThan(0);
    expect(at.directory.open).toBe(0);
  });

  it('is not left out by what is set for the user, the client or the request', async () => {
    const at = await node({
      admin_auth,
      clients: { AdminPortal: { mode: 'step_down', settings: { 'Otp.LoginMode': 'LDAP' } } },
    });
    const chief = await withToken();
    await call('Set_User_Settings', {
      dn: chief.dn,
      settings: { 'Otp.LoginMode': 'LDAP', 'Otp.ChallengeMode': 'No' },
    });
    expect(await session(at, { body: shown(chief) })).toMatchObject({ kind: 'challenge' });
    expect(await session(at, { body: shown(chief, { settings: 'LoginMode=LDAP' }) })).toMatchObject({
      ...{ status: 400, reason: 'invalid_params' },
    });
  });

  it('takes no challenge of another door', async () => {
    const at = await node({ admin_auth });
    const chief = await withToken();
    const { otp } = at.service.web;
    const begun = {
      session: '',
      ...(await otp.normalLogin({ username: chief.username, ldapPassword: chief.password })),
    };
    const body = { session: begun.session, username: chief.username, otp: chief.code(0) };
    expect(begun).toMatchObject({ code: 2 });
    expect(await session(at, { body })).toMatchObject({ status: 401, reason: 'not_found' });
  });
});

describe('mode OTP', () => {
  it('is admitted by the client policy, and open from everywhere', async () => {
    const chief = await withToken();
    const closed = await node({ admin_auth: 'OTP', clients: { AdminPortal: { mode: 'no_access' } } });
    expect(await session(closed, { body: shown(chief, { otp: chief.code(0) }) })).toMatchObject({
      status: 401,
    });
    const open = await node({ admin_auth: 'OTP' });
    await signedIn(open, shown(chief, { otp: chief.code(1) }), { address: '203.0.113.9' });
  });

  it('takes a DN where auth_mode says so', async () => {
    const chief = await withToken();
    const at = await node({ admin_auth: 'OTP', auth_mode: 'DN', manager_auth: 'UID' });
    expect(await session(at, { method: 'GET' })).toMatchObject({ fields: ['username', 'password', 'otp'] });
    const cookie = await signedIn(at, { username: chief.dn, password: chief.password, otp: chief.code(0) });
    expect(await outcome(at, cookie)).toBe('in');
  });

  it('counts failures, and says for how long it refuses', async () => {
    const chief = await withToken();
    const at = await node({ admin_auth: 'OTP' });
    const wrong = () => session(at, { body: shown(chief, { otp: '000000' }), address: '203.0.113.7' });
    let last = await wrong();
    for (let tries = 0; tries < 20 && last.reason !== 'too_many_attempts'; tries += 1) last = await wrong();
    expect(last).toMatchObject({ status: 401, reason: 'too_many_attempts', retryAfter: expect.any(Number) });
  });
});

describe('modes U2F and MFA', () => {
  it.each(['U2F', 'MFA'] as const)('take what a security key has signed: %s', async (admin_auth) => {
    const at = await node({ admin_auth, relying_party: party });
    const chief = await hire();
    const key = new SecurityKey({ rpId: party.id, origin: url, hasCounter: true });
    const random = randomBytes(32).toString('base64url');
    const response = Buffer.from(key.register(random)).toString('base64url');
    const { error } = await at.call(
      'Otp.FIDO_Register',
      { dn: chief.dn, response, random },
      { address: '198.51.100.1' },
    );
    expect(error).toBeUndefined();
    const challenge = await session(at, { body: shown(chief) });
    expect(challenge).toMatchObject({ kind: 'challenge', u2fChallenge: expect.any(String) });
    const u2fResponse = key.sign(JSON.parse(challenge.u2fChallenge).challenge);
    const cookie = await signedIn(at, { session: challenge.session, username: chief.username, u2fResponse });
    expect(await outcome(at, cookie)).toBe('in');
    if (admin_auth === 'MFA') return;
    const code = await token(chief);
    expect(await session(at, { body: shown(chief, { otp: code(0) }) })).not.toMatchObject({
      kind: 'signed-in',
    });
  });
});

describe.each(['U2F', 'MFA'] as const)('mode %s under attack', (admin_auth) => {
  /** An administrator with a device at a node of this mode. */
  async function withDevice(at: Fixture) {
    const chief = await hire();
    const key = new SecurityKey({ rpId: party.id, origin: url, hasCounter: true });
    const random = randomBytes(32).toString('base64url');
    const response = Buffer.from(key.register(random)).toString('base64url');
    const params = { dn: chief.dn, response, random };
    const { error } = await at.call('Otp.FIDO_Register', params, { address: '198.51.100.1' });
    expect(error).toBeUndefined();
    return { ...chief, key };
  }
  /** A browser that has shown the password. */
  async function challenged(at: Fixture, chief: Person, address?: string) {
    const answer = await session(at, { body: shown(chief), ...(address && { address }) });
    expect(answer).toMatchObject({ kind: 'challenge', u2fChallenge: expect.any(String) });
    return { session: String(answer.session), toSign: String(JSON.parse(answer.u2fChallenge).challenge) };
  }
  const open = () => node({ admin_auth, relying_party: party });

  it('takes no device but one of the administrator, for this page and this challenge', async () => {
    const at = await open();
    const [chief, other] = [await withDevice(at), await withDevice(at)];
    const stranger = new SecurityKey({ rpId: party.id, origin: url, hasCounter: true });
    const begun = await challenged(at, chief);
    const elsewhere = await challenged(at, chief, '203.0.113.9');
    const { key, username } = chief;
    for (const u2fResponse of [
      stranger.sign(begun.toSign),
      other.key.sign(begun.toSign),
      key.sign(elsewhere.toSign),
      key.sign(begun.toSign, { origin: 'https://portal.example.com.evil.example' }),
      key.sign(begun.toSign, { rpId: 'evil.example' }),
      key.sign(begun.toSign, { type: 'webauthn.create' }),
      key.sign(begun.toSign, { isPresent: false }),
      '{}',
    ]) {
      // So that the tries do not use up the quota of a day before what is looked for.
      fixture.clock.advance(5000);
      expect(await session(at, { body: { session: begun.session, username, u2fResponse } })).toMatchObject({
        ...{ status: expect.any(Number), cookie: '' },
        reason: expect.stringMatching(/credentials_refused|too_many_attempts/),
      });
    }
    expect(at.countEvents(`${chief.dn}: signed in to the admin portal`)).toBe(0);
  });

  it('takes an assertion once, and none of a copy of the device', async () => {
    const at = await open();
    const chief = await withDevice(at);
    const { key, username } = chief;
    const begun = await challenged(at, chief);
    const body = { session: begun.session, username, u2fResponse: key.sign(begun.toSign) };
    const both = await Promise.all([session(at, { body }), session(at, { body })]);
    expect(both.filter(({ kind }) => kind === 'signed-in')).toHaveLength(1);
    expect(await session(at, { body })).toMatchObject({ status: 401, reason: 'not_found' });
    const next = await challenged(at, chief);
    const replayed = { ...body, session: next.session };
    expect(await session(at, { body: replayed })).toMatchObject({ status: 401, cookie: '' });
    const copied = key.sign(next.toSign, { counter: 1 });
    const copy = { session: next.session, username, u2fResponse: copied };
    expect(await session(at, { body: copy })).toMatchObject({ status: 401, cookie: '' });
  });

  it('lets nobody answer in the name of another administrator', async () => {
    const at = await open();
    const [chief, other] = [await withDevice(at), await withDevice(at)];
    const begun = await challenged(at, chief);
    for (const [{ username }, { key }] of [
      [other, other],
      [other, chief],
    ] as const) {
      const body = { session: begun.session, username, u2fResponse: key.sign(begun.toSign) };
      expect(await session(at, { body })).toMatchObject({ status: 401, cookie: '' });
    }
    const own = {
      session: begun.session,
      username: chief.username,
      u2fResponse: chief.key.sign(begun.toSign),
    };
    expect(await signedIn(at, own)).not.toBe('');
  });
});

describe('mode PKI', () => {
  let enrolment: Enrolment;
  beforeAll(async () => {
    enrolment = await openEnrolment(fixture);
  });
  afterAll(() => enrolment.close());

  it('wants a certificate with each request, and the password once', async () => {
    const at = await node({ admin_auth: 'PKI', manager_auth: 'PKI' });
    const { certificate: pem } = await enrolment.administrator();
    const certificate = { pem, authorized: true };
    const { password } = at.admin;
    expect(await session(at, { body: { password } })).toMatchObject({
      ...{ status: 401, message: expect.stringContaining('a client certificate is needed') },
    });
    for (const [body, shown] of [
      [{ password: 'wrong' }, certificate],
      [{ password }, { ...certificate, authorized: false }],
    ] as const)
      expect(await session(at, { body, certificate: shown })).toMatchObject({ status: 401, cookie: '' });
    const cookie = await signedIn(at, { password }, { certificate });
    expect(await outcome(at, cookie, { certificate })).toBe('in');
    expect(await outcome(at, cookie)).toBe('signed out');
    await enrolment.revoke(pem);
    expect(await outcome(at, cookie, { certificate })).toBe('signed out');
  });

  it('takes no certificate of another administrator, of another authority, of a user, or that is revoked', async () => {
    const at = await node({ admin_auth: 'PKI', manager_auth: 'PKI' });
    const [chief, other] = [await hire(), await hire()];
    const [own, others] = [await enrolment.administrator(chief.dn), await enrolment.administrator(other.dn)];
    const shownBy = ({ certificate: pem }: { certificate: string }, authorized = true) => ({
      pem,
      authorized,
    });
    const { subject } = new X509Certificate(own.certificate);
    const forged = await enrolment.forge(own.certificate, `/${subject.replaceAll('\n', '/')}`);
    const user = await enrolment.sign(
      `/CN=Default\\\\${chief.username}/UID=${chief.username}/DC=Default/description=USER`,
    );
    const revoked = await enrolment.administrator(chief.dn);
    await enrolment.revoke(revoked.certificate);
    const body = { password: `${chief.password}` };
    for (const [who, certificate, credentials] of [
      // The password of the one with the certificate of the other opens neither.
      ['another', shownBy(others), { password: 'Ch1ef-of-some' }],
      ['forged', shownBy(forged), body],
      ['forged, and TLS says so', shownBy(forged, false), body],
      ['a user', shownBy(user), body],
      ['revoked', shownBy(revoked), body],
    ] as const) {
      const answer = await session(at, { body: credentials, certificate });
      expect([who, answer.status, answer.cookie]).toEqual([who, 401, '']);
    }
    const cookie = await signedIn(at, body, { certificate: shownBy(own) });
    expect(await outcome(at, cookie, { certificate: shownBy(own) })).toBe('in');
    expect(await outcome(at, cookie, { certificate: shownBy(others) })).toBe('signed out');
  });
});

describe('a password alone', () => {
  it('is taken from nowhere where the Manager would not take it', async () => {
    const at = await node({ admin_auth: 'UID' });
    const body = shown(at.admin);
    expect(await session(at, { body })).toMatchObject({ status: 403, reason: 'client_refused' });
    const cookie = await signedIn(at, body, { address: '198.51.100.7' });
    expect(await outcome(at, cookie, { address: '198.51.100.7' })).toBe('in');
    expect(await outcome(at, cookie)).toContain('client_refused');
  });
});

describe('roles', () => {
  it('open the doors that they name, and no other', async () => {
    const { alice, bob } = fixture.users;
    const role = { methods: ['Check_*'], subtrees: [fixture.base] };
    const at = await fixture.another({
      config: {
        roles: {
          desk: { ...role, members: [alice.dn], interfaces: ['Portal'] },
          program: { ...role, members: [bob.dn], interfaces: ['Manager'] },
        },
      },
    });
    nodes.push(at);
    const cookie = await signedIn(at, shown(alice));
    expect(await outcome(at, cookie)).toBe('in');
    expect(await outcome(at, cookie, {}, 'Server_Status')).toContain('permission_denied');
    const atManager = await at.call('Check_LDAP_Object', { dn: bob.dn }, { as: alice });
    expect(atManager.error).toMatchObject({ reason: 'credentials_refused' });
    expect(await session(at, { body: shown(bob) })).toMatchObject({ status: 401 });
    expect((await at.call('Check_LDAP_Object', { dn: bob.dn }, { as: bob })).error).toBeUndefined();
  });

  it('of one who has several count at the doors that each of them names', async () => {
    const { alice, bob } = fixture.users;
    const role = { members: [alice.dn], subtrees: [fixture.base], read: ['*'] };
    const at = await fixture.another({
      config: {
        roles: {
          desk: { ...role, methods: ['Check_*'], interfaces: ['Portal'] },
          program: { ...role, methods: ['Server_*'], interfaces: ['Manager'] },
        },
      },
    });
    nodes.push(at);
    const cookie = await signedIn(at, shown(alice));
    expect(await outcome(at, cookie)).toBe('in');
    expect(await outcome(at, cookie, {}, 'Server_Status')).toContain('permission_denied');
    expect((await at.call('Server_Status', {}, { as: alice })).error).toBeUndefined();
    const atManager = await at.call('Check_LDAP_Object', { dn: bob.dn }, { as: alice });
    expect(atManager.error).toMatchObject({ reason: 'permission_denied' });
  });
});

describe('a session', () => {
  const open = () => node({ manager_clients: [], admin_session: 600 });

  it('ends so long after its last request, and after eight hours', async () => {
    const at = await open();
    const cookie = await signedIn(at);
    for (let i = 0; i < 3; i += 1) {
      fixture.clock.advance(599_000);
      expect(await outcome(at, cookie)).toBe('in');
    }
    expect(at.directory.open).toBe(1);
    fixture.clock.advance(620_000);
    expect(await outcome(at, cookie)).toBe('signed out');
    expect(at.directory.open).toBe(0);
    const long = await signedIn(at);
    for (let i = 0; i < 48; i += 1) {
      fixture.clock.advance(599_000);
      expect(await outcome(at, long)).toBe('in');
    }
    fixture.clock.advance(599_000);
    expect(await outcome(at, long)).toBe('signed out');
  });

  it('holds no connection for long that nobody uses', async () => {
    const at = await open();
    const cookie = await signedIn(at);
    expect(at.directory.open).toBe(1);
    for (let i = 0; i < 60; i += 1) fixture.clock.advance(1000);
    expect(at.directory.open).toBe(0);
    expect(await outcome(at, cookie)).toBe('in');
  });

  it.each([
    ['is deactivated', (dn: string) => call('Deactivate_LDAP_Object', { dn })],
    ['is blocked', (dn: string) => call('Otp.Block_Start', { dn })],
    ['changes the password', (dn: string) => call('Set_User_Password', { dn, password: 'An0ther-one!' })],
    [
      'is no administrator any more',
      (dn: string) =>
        fixture.ports.directory.service.modify(Dn.parse(fixture.administrators), [
          { operation: 'delete', attribute: 'member', values: [dn] },
        ]),
    ],
    ['is removed', (dn: string) => call('Remove_LDAP_Object', { dn })],
  ])('ends everywhere when its administrator %s', async (_, end) => {
    const [at, other] = [await open(), await open()];
    const chief = await hire();
    const cookie = await signedIn(at, shown(chief));
    expect([await outcome(at, cookie), await outcome(other, cookie)]).toEqual(['in', 'in']);
    await end(chief.dn);
    expect([await outcome(at, cookie), await outcome(other, cookie)]).toEqual(['signed out', 'signed out']);
  });

  it('does not begin, and leaves no connection, when the directory fails right after the login', async () => {
    class FailingAfterBind extends WatchedDirectory {
      #hasBound = false;
      override readonly service = new Proxy(fixture.ports.directory.service, {
        get: (of, name) => {
          if (name === 'read' && this.#hasBound) return this.#fail;
          return Reflect.get(of, name);
        },
      });
      #fail = async () => {
        throw new ServiceError('unavailable');
      };
      override async bind(...by: Parameters<WatchedDirectory['bind']>) {
        const bound = await super.bind(...by);
        this.#hasBound = true;
        return bound;
      }
    }
    const at = await fixture.another({
      config: { manager_clients: [] },
      ports: ({ directory }) => ({ directory: new FailingAfterBind(directory) }),
    });
    nodes.push(at);
    const answer = await session(at, { body: shown(at.admin) });
    expect(answer).toMatchObject({ reason: 'unavailable', cookie: '' });
    expect(at.directory.open).toBe(0);
  });

  it('takes the place of the one that the browser had', async () => {
    const at = await open();
    const before = await signedIn(at);
    const after = await signedIn(at, shown(at.admin), { cookie: before });
    expect([await outcome(at, before), await outcome(at, after)]).toEqual(['signed out', 'in']);
  });

  it('is listed and ended from another node, and the list opens none', async () => {
    const [at, other] = [await open(), await open()];
    const chief = await hire();
    const own = await signedIn(at);
    const chiefs = await signedIn(at, shown(chief), { address: '203.0.113.5' });
    const rpc = async (node: Fixture, cookie: string, method: string, params?: object) => {
      const body = { jsonrpc: '2.0', id: 1, method, ...(params && { params }) };
      const response = await node.service.portal.answerCall(requestOf('/admin/rpc', { body, cookie }));
      return JSON.parse(JSON.stringify(response.body));
    };
    const { result } = await rpc(other, own, 'Admin_Sessions');
    const listed = result.filter(
      ({ administrator }: { administrator: string }) => administrator === chief.dn,
    );
    expect(listed).toEqual([
      {
        ...listed[0],
        administrator: chief.dn,
        address: '203.0.113.5',
        own: false,
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(result.filter((one: { own: boolean }) => one.own)).toMatchObject([{ administrator: at.admin.dn }]);
    const [{ id }] = listed;
    for (const stolen of [id, id.slice(0, 32)]) expect(await outcome(at, stolen)).toBe('signed out');
    expect(await rpc(other, own, 'End_Admin_Session', { id })).toMatchObject({ result: true });
    expect([await outcome(at, chiefs), await outcome(other, chiefs)]).toEqual(['signed out', 'signed out']);
    expect(await rpc(other, own, 'End_Admin_Session', { id })).toMatchObject({
      error: { reason: 'not_found' },
    });
    expect(at.countEvents(`End_Admin_Session id="${id}" administrator="${chief.dn}"`)).toBe(1);
  });

  it('is shown and ended by whose it is, and by super administrators', async () => {
    const { alice } = fixture.users;
    const at = await node({
      manager_clients: [],
      roles: {
        desk: {
          members: [alice.dn],
          interfaces: ['Portal'],
          subtrees: [fixture.base],
          methods: ['End_Admin_Session'],
        },
      },
    });
    const admins = await signedIn(at);
    const cookie = await signedIn(at, shown(alice));
    const everybody = await at.call('Admin_Sessions');
    const all: { id: string; administrator: string }[] = JSON.parse(JSON.stringify(everybody.result));
    const body = { jsonrpc: '2.0', id: 1, method: 'Admin_Sessions' };
    const response = await at.service.portal.answerCall(requestOf('/admin/rpc', { body, cookie }));
    const own: { administrator: string }[] = JSON.parse(JSON.stringify(response.body)).result;
    expect(new Set(own.map(({ administrator }) => administrator))).toEqual(new Set([alice.dn]));
    const other = all.find(({ administrator }) => administrator === at.admin.dn);
    const end = { jsonrpc: '2.0', id: 1, method: 'End_Admin_Session', params: { id: other?.id } };
    const refused = await at.service.portal.answerCall(requestOf('/admin/rpc', { body: end, cookie }));
    expect(refused.body).toMatchObject({ error: { reason: 'not_found' } });
    expect(await outcome(at, admins)).toBe('in');
  });
});
