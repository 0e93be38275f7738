/**
 * Administrator sessions (docs/concepts/callers-and-sources.md#administrator-session): what they save, when they end, and whom they never
 * let in.
 */
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { type Asking, type Fixture, openFixture, type Person } from '../../../testing/bed/fixture.ts';
import { WatchedDirectory } from '../../../testing/watched-directory.ts';

let fixture: Fixture;
let node: Fixture;
beforeEach(async () => {
  fixture = await openFixture({ config: { manager_session: 300 } });
  node = await fixture.another({ config: { manager_session: 300 } });
});
afterEach(async () => {
  await node.close();
  await fixture.close();
});

const cookieOf = (header: string | undefined): string =>
  /^SVCMANAG=([0-9a-f]+);/.exec(header ?? '')?.[1] ?? '';

/** Logs in; returns the cookie. */
async function begin(as: Person = fixture.admin): Promise<string> {
  const { headers } = await fixture.answer({ body: read, as });
  return cookieOf(headers['set-cookie']);
}

const read = {
  jsonrpc: '2.0',
  id: 1,
  method: 'Check_LDAP_Object',
  params: { dn: 'uid=alice,ou=people,dc=example,dc=org' },
};

/** `in` with a cookie alone, or what is said instead. */
async function outcome(cookie: string, at: Fixture = fixture, asking: Asking = {}): Promise<string> {
  const { status, headers, body } = await at.answer({ body: read, as: null, cookie, ...asking });
  if (status === 401) return 'login wanted';
  if (!body || !('result' in body)) return JSON.stringify(body);
  return headers['set-cookie'] === undefined ? 'in' : 'in, with a new session';
}

/** A request with a cookie alone that is under way, let in and not answered, until its body comes. */
function underWay(cookie: string): Promise<() => Promise<unknown>> {
  return new Promise((letIn, refuse) => {
    const asked = { authorization: undefined, cookie, address: '192.0.2.1', port: 40_000, closing: false };
    const body = () =>
      new Promise<Uint8Array>((send) =>
        letIn(async () => {
          send(Buffer.from(JSON.stringify(read)));
          return (await answer).body;
        }),
      );
    const answer = fixture.service.manager.answer({ ...asked, body });
    answer.then(refuse, refuse);
  });
}

const right = { jsonrpc: '2.0', id: 1, result: true };
const warnings = ({ log }: Fixture) => log.lines.filter(({ level }) => level !== 'info');

describe('a session', () => {
  it('begins with a login, and its cookie alone is enough from then on', async () => {
    const { headers } = await fixture.answer({ body: read });
    expect(headers['set-cookie']).toMatch(
      /^SVCMANAG=[0-9a-f]{32}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieOf(headers['set-cookie']);
    expect(await outcome(cookie)).toBe('in');
    expect(await outcome(cookie, fixture, { as: fixture.admin })).toBe('in');
  });

  it('begins with a login whatever the body is like, so that it is not left over', async () => {
    const { headers, body } = await fixture.answer({ body: 'no JSON' });
    expect(body).toMatchObject({ error: { reason: 'parse_error' } });
    expect(await outcome(cookieOf(headers['set-cookie']))).toBe('in');
    expect(fixture.directory.open).toBe(1);
  });

  it('has a cookie that nobody guesses', async () => {
    const cookies = new Set<string>();
    for (let i = 0; i < 8; i += 1) cookies.add(await begin());
    expect(cookies.size).toBe(8);
    for (const cookie of ['', '0', '0'.repeat(32), 'x'.repeat(32), [...cookies][0]?.toUpperCase() ?? ''])
      expect(await outcome(cookie)).toBe('login wanted');
  });

  it('is not made where there are none, nor for a request that closes', async () => {
    const without = await fixture.another();
    expect((await without.answer({ body: read })).headers).not.toHaveProperty('set-cookie');
    await without.close();
    expect((await fixture.answer({ body: read, closing: true })).headers).not.toHaveProperty('set-cookie');
    expect(fixture.directory.open).toBe(0);
  });

  it('costs a request two cheap looks at the directory and no bind', async () => {
    const cookie = await begin();
    fixture.directory.takeAsked();
    await outcome(cookie);
    expect(fixture.directory.takeAsked()).toEqual(['revision', 'service.search', 'read']);
  });

  it('costs a request one cheap look if its administrator is named in super_admins', async () => {
    const { alice } = fixture.users;
    const named = await fixture.another({ config: { manager_session: 300, super_admins: [alice.dn] } });
    const { headers } = await named.answer({ body: read, as: alice });
    named.directory.takeAsked();
    expect(await outcome(cookieOf(headers['set-cookie']), named)).toBe('in');
    expect(named.directory.takeAsked()).toEqual(['revision', 'read']);
    await named.close();
  });

  it('asks the group first that was the answer before', async () => {
    const super_admins = [
      'cn=first,dc=example,dc=org',
      'cn=second,dc=example,dc=org',
      fixture.administrators,
    ];
    const many = await fixture.another({ config: { manager_session: 300, super_admins } });
    const { headers } = await many.answer({ body: read });
    many.directory.takeAsked();
    expect(await outcome(cookieOf(headers['set-cookie']), many)).toBe('in');
    expect(many.directory.takeAsked()).toEqual(['revision', 'service.search', 'read']);
    await many.close();
  });
});

describe('the end of a session', () => {
  it('comes 10 s after its last request', async () => {
    const cookie = await begin();
    for (let i = 0; i < 5; i += 1) {
      fixture.clock.advance(10_000);
      expect(await outcome(cookie)).toBe('in');
    }
    fixture.clock.advance(10_001);
    expect(await outcome(cookie)).toBe('login wanted');
    expect(fixture.directory.open).toBe(0);
  });

  it('comes when manager_session is over, however busy it is', async () => {
    const cookie = await begin();
    for (let seconds = 0; seconds < 300; seconds += 5) {
      expect(await outcome(cookie)).toBe('in');
      fixture.clock.advance(5000);
    }
    expect(await outcome(cookie)).toBe('in');
    fixture.clock.advance(1);
    expect(await outcome(cookie)).toBe('login wanted');
  });

  it('comes when the clock is set back by more than a minute, as its age is unknown then', async () => {
    const cookie = await begin();
    fixture.clock.advance(-60_000);
    expect(await outcome(cookie)).toBe('in');
    fixture.clock.advance(-1);
    expect(await outcome(cookie)).toBe('login wanted');
  });

  it('comes with a request that says Connection: close, on every node', async () => {
    const cookie = await begin();
    expect(await outcome(cookie, node)).toBe('in');
    expect(await outcome(cookie, fixture, { closing: true })).toBe('in');
    expect(await outcome(cookie)).toBe('login wanted');
    expect(await outcome(cookie, node)).toBe('login wanted');
    expect([fixture.directory.open, node.directory.open]).toEqual([0, 0]);
  });

  it('is not brought about by somebody with other credentials', async () => {
    const cookie = await begin();
    const { alice } = fixture.users;
    await fixture.answer({ body: read, as: alice, cookie, closing: true });
    await fixture.answer({ body: read, as: { ...fixture.admin, password: 'wrong' }, cookie, closing: true });
    expect(await outcome(cookie)).toBe('in');
  });

  it('waits for a request under way', async () => {
    const cookie = await begin();
    const under = fixture.answer({ body: [read, read, read], as: null, cookie });
    await outcome(cookie, fixture, { closing: true });
    const { body } = await under;
    expect(body).toEqual(Array.from({ length: 3 }, () => ({ jsonrpc: '2.0', id: 1, result: true })));
    expect(fixture.directory.open).toBe(0);
    expect(await outcome(cookie)).toBe('login wanted');
  });
});

describe('a request that takes long', () => {
  it('keeps its session alive, from its beginning and while it is under way', async () => {
    const cookie = await begin();
    fixture.clock.advance(6000);
    const finish = await underWay(cookie);
    fixture.clock.advance(10_001);
    expect(await outcome(cookie)).toBe('in');
    expect(await finish()).toEqual(right);
  });

  it('keeps its session alive for as long after its end as a short one', async () => {
    const cookie = await begin();
    const finish = await underWay(cookie);
    fixture.clock.advance(10_000);
    expect(await finish()).toEqual(right);
    fixture.clock.advance(9000);
    expect(await outcome(cookie)).toBe('in');
  });

  it('does not bring back a session that was ended meanwhile', async () => {
    const cookie = await begin();
    const finish = await underWay(cookie);
    expect(await outcome(cookie, node, { closing: true })).toBe('in');
    fixture.clock.advance(1000);
    expect(await finish()).toEqual(right);
    for (const at of [fixture, node]) {
      expect(await outcome(cookie, at)).toBe('login wanted');
      expect(warnings(at)).toEqual([]);
    }
  });
});

describe('a cookie with other credentials', () => {
  it('is nobody’s: the credentials decide', async () => {
    const cookie = await begin();
    const { alice } = fixture.users;
    const both = [fixture.admin.dn, alice.dn];
    await fixture.ports.directory.service.modify(Dn.parse(fixture.administrators), [
      { operation: 'replace', attribute: 'member', values: both },
    ]);
    const change = {
      jsonrpc: '2.0',
      id: 1,
      method: 'Set_User_Attrs',
      params: { dn: alice.dn, attrs: { title: 'x' } },
    };
    const response = await fixture.answer({ body: change, as: alice, cookie });
    expect(cookieOf(response.headers['set-cookie'])).not.toBe(cookie);
    expect(fixture.events().at(-1)?.text).toMatch(new RegExp(`^${alice.dn}: `));
    expect(await outcome(cookie, fixture, { as: { ...fixture.admin, password: 'wrong' } })).toBe(
      'login wanted',
    );
    expect(await outcome(cookie)).toBe('in');
  });
});

/** Changes to an administrator while a session is open. */
const misfortunes: Record<string, (fixture: Fixture) => Promise<unknown>> = {
  'was disabled': ({ ports, admin }) =>
    ports.directory.service.modify(Dn.parse(admin.dn), [
      { operation: 'replace', attribute: 'pwdaccountlockedtime', values: ['000001010000Z'] },
    ]),
  'was removed': ({ ports, admin }) => ports.directory.service.remove(Dn.parse(admin.dn)),
  'was renamed': ({ ports, admin }) =>
    ports.directory.service.rename(Dn.parse(admin.dn), { rdn: [{ type: 'uid', value: 'former' }] }),
  'has another password': ({ ports, admin }) =>
    ports.directory.service.setPassword(Dn.parse(admin.dn), 'an0ther-one', { mustChange: false }),
  'has to change the password': ({ ports, admin }) =>
    ports.directory.service.setPassword(Dn.parse(admin.dn), admin.password, { mustChange: true }),
  'was taken out of the group': ({ ports, administrators }) =>
    ports.directory.service.modify(Dn.parse(administrators), [
      { operation: 'replace', attribute: 'member', values: ['uid=alice,ou=people,dc=example,dc=org'] },
    ]),
  'lost the group': ({ ports, administrators }) => ports.directory.service.remove(Dn.parse(administrators)),
};

describe('an administrator who', () => {
  it.each(Object.keys(misfortunes))('%s is refused at the next request, on every node', async (name) => {
    const cookies = [await begin(), await begin()] as const;
    for (const cookie of cookies) {
      expect(await outcome(cookie)).toBe('in');
      expect(await outcome(cookie, node)).toBe('in');
    }
    await misfortunes[name]?.(fixture);
    expect(await outcome(cookies[0], node)).toBe('login wanted');
    expect(await outcome(cookies[1])).toBe('login wanted');
    expect(await outcome(cookies[1], fixture, { as: fixture.admin })).not.toMatch(/^in/);
    expect([fixture.directory.open, node.directory.open]).toEqual([1, 1]);
    fixture.clock.advance(11_000);
    expect([fixture.directory.open, node.directory.open]).toEqual([0, 0]);
  });

  it.each(['excluded_groups', 'allowed_groups'] as const)(
    'is no longer let in by the %s of the domain is refused at the next request',
    async (list) => {
      const { base, administrators, admin, users, ports } = fixture;
      const group = `cn=doorkeeper,ou=groups,${base}`;
      const member = [list === 'allowed_groups' ? admin.dn : users.bob.dn];
      const attributes = { objectclass: ['groupOfNames'], member };
      await ports.directory.service.add(Dn.parse(group), new Map(Object.entries(attributes)));
      const domains = { Default: { base, [list]: [group] } };
      const strict = await fixture.another({
        config: { manager_session: 300, super_admins: [administrators], domains },
      });
      const { headers } = await strict.answer({ body: read });
      const cookie = cookieOf(headers['set-cookie']);
      expect(await outcome(cookie, strict)).toBe('in');
      const next = [list === 'allowed_groups' ? users.bob.dn : admin.dn];
      await ports.directory.service.modify(Dn.parse(group), [
        { operation: 'replace', attribute: 'member', values: next },
      ]);
      expect(await outcome(cookie, strict)).toBe('login wanted');
      await strict.close();
    },
  );

  it('changes the own entry goes on, bound anew', async () => {
    const cookie = await begin();
    const params = { dn: fixture.admin.dn, attrs: { description: 'on holiday' } };
    const change = { jsonrpc: '2.0', id: 1, method: 'Set_User_Attrs', params };
    expect(await outcome(cookie, fixture, { body: change })).toBe('in');
    fixture.directory.takeAsked();
    expect(await outcome(cookie)).toBe('in');
    expect(fixture.directory.takeAsked()).toContain('bind');
    expect(await outcome(cookie)).toBe('in');
    expect(fixture.directory.takeAsked()).not.toContain('bind');
    expect(fixture.directory.open).toBe(1);
  });
});

it('proves the password at each request where the directory tells no revisions', async () => {
  class Untelling extends WatchedDirectory {
    override revision = async () => undefined;
  }
  const untelling = await fixture.another({
    config: { manager_session: 300 },
    ports: ({ directory }) => ({ directory: new Untelling(directory) }),
  });
  const cookie = cookieOf((await untelling.answer({ body: read })).headers['set-cookie']);
  for (let i = 0; i < 2; i += 1) {
    untelling.directory.takeAsked();
    expect(await outcome(cookie, untelling)).toBe('in');
    expect(untelling.directory.takeAsked()).toContain('bind');
  }
  await untelling.close();
});

describe('a second node', () => {
  it('takes the session up with one bind, also of requests that come together', async () => {
    const cookie = await begin();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(cookie, node)));
    expect(new Set(outcomes)).toEqual(new Set(['in']));
    expect(node.directory.asked.filter((name) => name === 'bind')).toHaveLength(1);
    expect(node.directory.open).toBe(1);
  });

  it('keeps it alive for the first', async () => {
    const cookie = await begin();
    for (let i = 0; i < 4; i += 1) {
      fixture.clock.advance(6000);
      expect(await outcome(cookie, node)).toBe('in');
    }
    expect(await outcome(cookie)).toBe('in');
  });

  it('keeps it alive for the first, which has not closed its connection yet', async () => {
    const cookie = await begin();
    fixture.clock.advance(6000);
    expect(await outcome(cookie, node)).toBe('in');
    fixture.clock.advance(4500);
    expect(await outcome(cookie)).toBe('in');
    expect(fixture.directory.open).toBe(1);
  });
});

it('is over for a request that is bound anew while another one ends the session', async () => {
  const firstClose = new EventEmitter();
  class SlowToClose extends WatchedDirectory {
    #closed = 0;
    override async bind(...by: Parameters<WatchedDirectory['bind']>) {
      const bound = await super.bind(...by);
      if (!bound.granted) return bound;
      const close = async () => {
        this.#closed += 1;
        if (this.#closed === 1) await new Promise((goOn) => firstClose.emit('begun', goOn));
        await bound.directory.close();
      };
      const get = (of: typeof bound.directory, name: string) =>
        name === 'close' ? close : Reflect.get(of, name);
      return { ...bound, directory: new Proxy(bound.directory, { get }) };
    }
  }
  const slow = await fixture.another({
    config: { manager_session: 300 },
    ports: ({ directory }) => ({ directory: new SlowToClose(directory) }),
  });
  const cookie = cookieOf((await slow.answer({ body: read })).headers['set-cookie']);
  await fixture.ports.directory.service.modify(Dn.parse(fixture.admin.dn), [
    { operation: 'replace', attribute: 'description', values: ['on holiday'] },
  ]);
  const closing = once(firstClose, 'begun');
  const boundAnew = outcome(cookie, slow);
  const [goOn] = await closing;
  expect(await outcome(cookie, slow, { closing: true })).toBe('in');
  goOn();
  expect(await boundAnew).toBe('login wanted');
  expect(slow.directory.open).toBe(0);
  await slow.close();
});

describe('the store', () => {
  it('holds neither password nor cookie in clear, and opens nothing without the cookie', async () => {
    const written: string[] = [];
    const spied = await fixture.another({
      config: { manager_session: 300 },
      ports: ({ store }) => ({
        store: {
          ...store,
          put: (key, value, seconds) => {
            written.push(`${key} ${Buffer.from(value).toString('latin1')}`);
            return store.put(key, value, seconds);
          },
        },
      }),
    });
    const { headers } = await spied.answer({ body: read });
    const cookie = cookieOf(headers['set-cookie']);
    expect(await outcome(cookie, spied)).toBe('in');
    const text = written.join('\n');
    expect(text).toMatch(/^session:[0-9a-f]{64} /);
    for (const secret of [
      fixture.admin.password,
      cookie,
      'admin',
      Buffer.from(fixture.admin.password).toString('base64'),
    ])
      expect(text).not.toContain(secret);
    await spied.close();
  });

  it('takes no session, and the login is refused and its connection given back', async () => {
    const failing = await fixture.another({
      config: { manager_session: 300 },
      ports: ({ store }) => ({
        store: {
          ...store,
          put: async (key, value, seconds) => {
            if (key.startsWith('session:')) throw new ServiceError('unavailable');
            return store.put(key, value, seconds);
          },
        },
      }),
    });
    const { headers, body } = await failing.answer({ body: read });
    expect([headers['set-cookie'], body]).toMatchObject([undefined, { error: { reason: 'unavailable' } }]);
    expect(failing.directory.open).toBe(0);
    await failing.close();
  });

  it('is written once a second at most while a session is in use', async () => {
    let puts = 0;
    const counted = await fixture.another({
      config: { manager_session: 300 },
      ports: ({ store }) => ({
        store: {
          ...store,
          put: (key, value, seconds) => {
            if (key.startsWith('session:')) puts += 1;
            return store.put(key, value, seconds);
          },
          update: (key, change) => {
            if (key.startsWith('session:')) puts += 1;
            return store.update(key, change);
          },
        },
      }),
    });
    const { headers } = await counted.answer({ body: read });
    const cookie = cookieOf(headers['set-cookie']);
    for (let i = 0; i < 20; i += 1) {
      counted.clock.advance(100);
      await outcome(cookie, counted);
    }
    expect(puts).toBe(3);
    await counted.close();
  });
});

describe('many sessions', () => {
  it('do not hold more connections than 256, and none when they are over', async () => {
    const cookies: Awaited<ReturnType<typeof begin>>[] = [];
    for (let n = 0; n < 300; n += 1) cookies.push(await begin());
    expect(new Set(cookies).size).toBe(300);
    expect(fixture.directory.open).toBeLessThanOrEqual(256);
    const outcomes = await Promise.all(cookies.map((cookie) => outcome(cookie)));
    expect(new Set(outcomes)).toEqual(new Set(['in']));
    fixture.clock.advance(11_000);
    expect(fixture.directory.open).toBe(0);
  });

  it('are all given back when the node closes', async () => {
    const closing = await fixture.another({ config: { manager_session: 300 } });
    await Promise.all(Array.from({ length: 5 }, () => closing.answer({ body: read })));
    expect(closing.directory.open).toBe(5);
    const repeating = closing.clock.repeating;
    await closing.close();
    expect(closing.directory.open).toBe(0);
    // Those of the Manager, of the portal, that it runs, of ends of certificates, and of uses of API keys.
    expect(closing.clock.repeating).toBe(repeating - 5);
  });
});
