/** Limits of the Manager, and the delay of super administrators (docs/concepts/limits.md#delay-of-super-administrators). */
import { afterEach, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { userKey } from '../../limits/source.ts';
import { type Fixture, type FixtureOptions, openFixture, type Person } from '../../testing/bed/fixture.ts';
import type { Credentials } from './identity/credentials.ts';

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
const wrong = { username: 'admin', password: 'wrong' };
const [home, elsewhere, office] = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];

/** `in`, or the reason why not. */
async function outcome(fixture: Fixture, as: Credentials, address = home): Promise<string> {
  const { body } = await fixture.answer({ body: status, as, address });
  if (!body || Array.isArray(body)) return 'no answer';
  return 'error' in body ? body.error.reason : 'in';
}

/** Fails a number of times, each from another address: no source is blocked. */
async function fail(fixture: Fixture, times: number, as: Credentials = wrong): Promise<void> {
  for (let n = 0; n < times; n += 1)
    expect(await outcome(fixture, as, `2001:db8:${n + 1}::1`)).toBe('credentials_refused');
}

/** Activated, so that the web services know them. */
async function activate(fixture: Fixture, ...people: readonly Person[]): Promise<void> {
  const change = { operation: 'add', attribute: 'objectClass', values: ['webadmaccount'] } as const;
  for (const { dn } of people) await fixture.ports.directory.service.modify(Dn.parse(dn), [change]);
}

/** Logs in as a stranger at the web services and everywhere else. */
const logInAtWeb = ({ service }: Fixture, ldapPassword: string, username = 'admin') =>
  service.web.otp.normalLogin({ username, ldapPassword, settings: 'Otp.LoginMode=LDAP' });

describe('ten failures in a row', () => {
  it('refuse an administrator at all places that are unknown, and nobody at a known one', async () => {
    const fixture = await open();
    expect(await outcome(fixture, fixture.admin, home)).toBe('in');
    await fail(fixture, 10);
    expect(await outcome(fixture, fixture.admin, elsewhere)).toBe('too_many_attempts');
    expect(await outcome(fixture, fixture.admin, home)).toBe('in');
    fixture.clock.advance(300_000);
    expect(await outcome(fixture, fixture.admin, elsewhere)).toBe('in');
  });

  it('tell the seconds that are left, and the next ones last twice as long', async () => {
    const fixture = await open();
    for (const seconds of [300, 600, 1200]) {
      await fail(fixture, 10);
      const {
        status: http,
        headers,
        body,
      } = await fixture.answer({ body: status, as: wrong, address: elsewhere });
      expect([http, headers['retry-after'], body]).toEqual([
        200,
        String(seconds),
        {
          ...{ jsonrpc: '2.0', id: null },
          error: {
            ...{ code: -32029, message: expect.any(String), reason: 'too_many_attempts' },
            data: `try again in ${seconds} seconds`,
          },
        },
      ]);
      fixture.clock.advance(seconds * 1000);
    }
  });

  it('count for unknown names, too, and for every spelling of a name', async () => {
    const fixture = await open();
    for (const name of ['admin', 'nobody']) {
      for (let n = 0; n < 10; n += 1) {
        const username = [name, `default\\${name}`, name.toUpperCase()][n % 3] ?? name;
        expect(
          await outcome(fixture, { username, password: 'wrong' }, `2001:db8:${n + 1}::${name.length}`),
        ).toBe('credentials_refused');
      }
      expect(await outcome(fixture, { username: name, password: 'wrong' }, elsewhere)).toBe(
        'too_many_attempts',
      );
    }
  });

  it('restarts the failure streak after a success', async () => {
    const fixture = await open();
    await fail(fixture, 9);
    expect(await outcome(fixture, fixture.admin, elsewhere)).toBe('in');
    expect(await outcome(fixture, wrong, office)).toBe('credentials_refused');
    expect(await outcome(fixture, fixture.admin, '203.0.113.77')).toBe('in');
  });

  it('write an audit entry with the administrator, the source and the end', async () => {
    const fixture = await open();
    await fail(fixture, 10);
    expect(fixture.events().at(-1)).toMatchObject({
      dn: fixture.admin.dn,
      text: expect.stringMatching(
        /^"admin": locked out at all unknown sources .* until 2026-11-20 12:05:00: /,
      ),
    });
    expect(fixture.countEvents('locked out at all unknown sources')).toBe(1);
  });

  it('admit ten of 500 concurrent attempts, over two nodes', async () => {
    const fixture = await open();
    const node = await fixture.another();
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, (_, n) => outcome(n % 2 ? fixture : node, wrong, `2001:db8:${n}::1`)),
    );
    const binds = [...fixture.directory.asked, ...node.directory.asked].filter((name) => name === 'bind');
    expect(outcomes.filter((word) => word === 'credentials_refused')).toHaveLength(10);
    expect(new Set(outcomes)).toEqual(new Set(['credentials_refused', 'too_many_attempts']));
    expect(binds).toHaveLength(10);
    await node.close();
  });
});

describe('a right password without the right to enter', () => {
  it('gets the answer of a wrong password after the same time, at every door', async () => {
    const fixture = await open({ config: { manager_session: 300 } });
    const { alice } = fixture.users;
    const answerTo = async (as: Credentials, cookie?: string) => {
      fixture.clock.slept.length = 0;
      const response = await fixture.answer({ body: status, as, ...(cookie !== undefined && { cookie }) });
      return { answer: response, slept: [...fixture.clock.slept] };
    };
    const refused = await answerTo({ ...alice, password: 'wrong' });
    expect(refused).toMatchObject({ answer: { status: 401 }, slept: [1000] });
    expect(await answerTo(alice)).toEqual(refused);
    const begun = await fixture.answer({ body: status });
    const cookie = /SVCMANAG=([0-9a-f]+)/.exec(begun.headers['set-cookie'] ?? '')?.[1];
    expect(await answerTo(alice, cookie)).toEqual(refused);
    const error = (as: Credentials) => fixture.service.manager.login(as).then(() => 'in', String);
    expect(await error(alice)).toBe(await error({ ...alice, password: 'wrong' }));
    expect(fixture.directory.open).toBe(1);
  });

  it('counts as a failure', async () => {
    const fixture = await open();
    await fail(fixture, 10, fixture.users.alice);
    expect(await outcome(fixture, fixture.users.alice, elsewhere)).toBe('too_many_attempts');
    expect(fixture.countEvents('this account is not an administrator')).toBe(10);
  });
});

describe('the counters of the Manager and of the web services', () => {
  it('stay apart: calls of the web services do not change those of the Manager', async () => {
    const fixture = await open();
    await activate(fixture, fixture.admin);
    for (let n = 0; n < 120; n += 1) await logInAtWeb(fixture, `wrong ${n}`);
    expect((await logInAtWeb(fixture, fixture.admin.password)).code).toBe(0);
    expect(await outcome(fixture, fixture.admin, elsewhere)).toBe('in');
  });

  it('stay apart: calls of the Manager do not change those of the web services', async () => {
    const fixture = await open();
    await activate(fixture, fixture.admin);
    await fail(fixture, 10);
    expect(await outcome(fixture, fixture.admin, elsewhere)).toBe('too_many_attempts');
    expect((await logInAtWeb(fixture, fixture.admin.password)).code).toBe(1);
  });
});

describe('an address', () => {
  it('has twenty failures over all names, and then lets in whom it is known to', async () => {
    const fixture = await open({
      config: {
        super_admins: [
          `uid=alice,ou=people,dc=example,dc=org`,
          'cn=administrators,ou=groups,dc=example,dc=org',
        ],
      },
    });
    expect(await outcome(fixture, fixture.admin, office)).toBe('in');
    for (let n = 0; n < 20; n += 1)
      expect(await outcome(fixture, { username: `user ${n}`, password: 'wrong' }, office)).toBe(
        'credentials_refused',
      );
    const { alice } = fixture.users;
    expect(await outcome(fixture, alice, office)).toBe('too_many_attempts');
    expect(await outcome(fixture, alice, elsewhere)).toBe('in');
    expect(await outcome(fixture, fixture.admin, office)).toBe('in');
    // A wrong password tells nobody that the administrator is known there.
    const wrongThere = { ...fixture.admin, password: 'wrong' };
    expect(await outcome(fixture, wrongThere, office)).toBe('too_many_attempts');
    fixture.clock.advance(3000);
    expect(await outcome(fixture, { username: 'user 20', password: 'wrong' }, office)).toBe(
      'credentials_refused',
    );
    expect(await outcome(fixture, { username: 'user 21', password: 'wrong' }, office)).toBe(
      'too_many_attempts',
    );
  });

  it('of a login in process is the one that is given, or the program itself', async () => {
    const fixture = await open();
    const logIn = (as: Credentials, address?: string) =>
      fixture.service.manager.login(as, address).then(
        async ({ close }) => {
          await close();
          return 'in';
        },
        ({ reason }) => reason,
      );
    for (let n = 0; n < 20; n += 1)
      expect(await logIn({ username: `user ${n}`, password: 'wrong' }, office)).toBe('credentials_refused');
    expect(await logIn(fixture.admin, office)).toBe('too_many_attempts');
    expect(await logIn(fixture.admin)).toBe('in');
  });
});

describe('a super administrator at an address of manager_clients', () => {
  const narrow = { manager_clients: ['192.0.2.0/24', '203.0.113.1'] };

  it('is never refused: after failures in a row the next is judged after 1, 2, 4, 5, 5 s', async () => {
    const fixture = await open({ config: { ...narrow, limits: { login_failure_delay_ms: 1 } } });
    const waits: number[] = [];
    for (let n = 0; n < 30; n += 1) {
      fixture.clock.slept.length = 0;
      expect(await outcome(fixture, wrong)).toBe('credentials_refused');
      waits.push(Math.max(0, ...fixture.clock.slept.filter((pause) => pause > 1)));
    }
    expect(waits.slice(0, 7)).toEqual([0, 1000, 2000, 4000, 5000, 5000, 5000]);
    expect(await outcome(fixture, fixture.admin)).toBe('in');
    fixture.clock.slept.length = 0;
    expect(await outcome(fixture, fixture.admin)).toBe('in');
    expect(fixture.clock.slept).toEqual([]);
  });

  it('waits 60 s after a hundred in a row, and is let in then', async () => {
    const fixture = await open({ config: { ...narrow, limits: { login_failure_delay_ms: 1 } } });
    for (let n = 0; n < 100; n += 1) expect(await outcome(fixture, wrong)).toBe('credentials_refused');
    fixture.clock.slept.length = 0;
    expect(await outcome(fixture, fixture.admin)).toBe('in');
    expect(fixture.clock.slept).toEqual([60_000]);
  });

  it('is delayed by nobody at another address, and whoever waited long enough not at all', async () => {
    const fixture = await open({ config: narrow });
    for (let n = 0; n < 30; n += 1) await outcome(fixture, wrong, '192.0.2.66');
    fixture.clock.slept.length = 0;
    expect(await outcome(fixture, fixture.admin, '192.0.2.1')).toBe('in');
    expect(await outcome(fixture, fixture.admin, office)).toBe('in');
    fixture.clock.advance(5000);
    expect(await outcome(fixture, fixture.admin, '192.0.2.66')).toBe('in');
    expect(fixture.clock.slept).toEqual([]);
  });

  it('is let in by a hundred requests at once', async () => {
    const fixture = await open({ config: narrow });
    const hundred = Array.from({ length: 100 }, () => outcome(fixture, fixture.admin));
    expect(new Set(await Promise.all(hundred))).toEqual(new Set(['in']));
  });

  it('has the delays of 64 addresses remembered, and no more', async () => {
    const fixture = await open({ config: { manager_clients: ['2001:db8::/32'] } });
    for (let n = 0; n < 80; n += 1) await outcome(fixture, wrong, `2001:db8:${n + 1}::1`);
    const admin = userKey(Dn.parse(fixture.admin.dn));
    const { scopes: grounds } = await fixture.core.limits.look(admin, 'manager');
    expect(Object.keys(grounds)).toHaveLength(64);
    fixture.clock.slept.length = 0;
    expect(await outcome(fixture, wrong, '2001:db8:50::1')).toBe('credentials_refused');
    expect(fixture.clock.slept).toEqual([1000, 1000]);
  });

  it('is nobody else: others there, and names that nobody has, are refused', async () => {
    const { alice } = (await open()).users;
    const roles = { desk: { members: [alice.dn], methods: ['*'], subtrees: ['dc=example,dc=org'] } };
    const fixture = await open({ config: { ...narrow, roles } });
    const some = (n: number) => `192.0.2.${n + 1}`;
    for (const username of ['alice', 'bob', 'nobody']) {
      for (let n = 0; n < 10; n += 1) await outcome(fixture, { username, password: 'wrong' }, some(n));
      expect(await outcome(fixture, { username, password: 'wrong' }, some(50))).toBe('too_many_attempts');
    }
  });

  it.each([
    ['is empty', []],
    ['is every address', ['0.0.0.0/0', '::/0']],
    ['is every address in two halves', ['0.0.0.0/1', '128.0.0.0/1']],
    ['names somebody, and everybody', ['192.0.2.1', '0.0.0.0/0']],
  ])('is not meant where manager_clients %s', async (_, manager_clients) => {
    const fixture = await open({ config: { manager_clients } });
    for (let n = 0; n < 10; n += 1) await outcome(fixture, wrong, `198.51.100.${n}`);
    expect(await outcome(fixture, fixture.admin)).toBe('too_many_attempts');
  });
});

describe('Block_Start', () => {
  it('holds at the Manager: at known places, for super administrators at manager_clients, and for sessions', async () => {
    const { alice } = (await open()).users;
    const super_admins = [alice.dn, 'cn=administrators,ou=groups,dc=example,dc=org'];
    const config = { manager_clients: ['192.0.2.0/24'], manager_session: 300, super_admins };
    const fixture = await open({ config });
    await activate(fixture, alice);
    const begun = await fixture.answer({ body: status, as: alice });
    const cookie = /SVCMANAG=([0-9a-f]+)/.exec(begun.headers['set-cookie'] ?? '')?.[1] ?? '';
    const inSession = async () => (await fixture.answer({ body: status, as: null, cookie })).status;
    expect(await inSession()).toBe(200);
    expect(await fixture.call('Otp.Block_Start', { dn: alice.dn })).toMatchObject({
      result: expect.anything(),
    });
    expect(await inSession()).toBe(401);
    expect(await outcome(fixture, alice)).toBe('too_many_attempts');
    await fixture.call('Otp.Block_Reset', { dn: alice.dn });
    expect(await outcome(fixture, alice)).toBe('in');
  });
});

describe('five anonymous wrong logins every five minutes', () => {
  /** Five hours of it, from ever new addresses. */
  async function attack(fixture: Fixture, tryOnce: (n: number) => Promise<unknown>): Promise<void> {
    for (let n = 0; n < 60; n += 1) {
      for (let time = 0; time < 5; time += 1) await tryOnce(n * 5 + time);
      fixture.clock.advance(300_000);
    }
  }

  it('at the Manager do not keep the only administrator out of a known place', async () => {
    const fixture = await open();
    expect(await outcome(fixture, fixture.admin, home)).toBe('in');
    await attack(fixture, (n) => outcome(fixture, wrong, `2001:db8:${n.toString(16)}::1`));
    expect(await outcome(fixture, fixture.admin, home)).toBe('in');
  });

  it('nor of an address that manager_clients names, where they never were', async () => {
    const fixture = await open({ config: { manager_clients: ['192.0.2.0/24', '2001:db8::/32'] } });
    await attack(fixture, (n) => outcome(fixture, wrong, `2001:db8:${n.toString(16)}::1`));
    expect(await outcome(fixture, fixture.admin, home)).toBe('in');
  });

  it('over the web services change nothing at the Manager', async () => {
    const fixture = await open();
    await activate(fixture, fixture.admin);
    await attack(fixture, (n) => logInAtWeb(fixture, `wrong ${n}`));
    expect(await outcome(fixture, fixture.admin, elsewhere)).toBe('in');
  });
});
