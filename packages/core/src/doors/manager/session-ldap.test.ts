/** Administrator sessions in front of a real OpenLDAP: whom they let in, and what they hold on to. */
import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLdapDirectory } from '../../../../ldap/src/index.ts';
import { systemClock } from '../../../../node/src/machine/index.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Directory } from '../../ports/directory/directory.ts';
import { type Slapd, startSlapd } from '../../testing/bed/engines/slapd.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { KeptLog } from '../../testing/kept-log.ts';

let slapd: Slapd;
let fixture: Fixture;
let root: Directory;
let group: Dn;
let admin: { dn: Dn; username: string; password: string };

beforeAll(async () => {
  slapd = await startSlapd({ users: 2 });
  group = Dn.parse(`cn=administrators,${slapd.groups}`);
  const directory = openLdapDirectory(
    {
      urls: [slapd.ldapsUrl],
      ca: slapd.ca,
      bind_dn: slapd.readerDn,
      bind_password: slapd.readerPassword,
      base: slapd.base,
    },
    { clock: systemClock, log: new KeptLog() },
  );
  const bound = await directory.bind(Dn.parse(slapd.rootDn), slapd.rootPassword);
  if (!bound.granted) expect.unreachable('the root of the throwaway slapd binds');
  root = bound.directory;
  fixture = await openFixture({
    config: {
      manager_session: 300,
      domains: { Default: { base: slapd.base } },
      super_admins: [group.toString(), `uid=named,${slapd.people}`],
    },
    ports: () => ({ directory }),
  });
});

afterAll(async () => {
  await root.close();
  await fixture.close();
  await slapd.stop();
});

let made = 0;
beforeEach(async () => {
  made += 1;
  await hire(`chief${made}`);
  await ((await root.read(group, ['1.1'])) ? joinGroup() : makeGroup());
});

async function hire(username: string): Promise<void> {
  admin = { dn: Dn.parse(`uid=${username},${slapd.people}`), username, password: 'Ch1ef-of-all' };
  const person = {
    objectclass: ['inetOrgPerson'],
    cn: [username],
    sn: [username],
    userpassword: [admin.password],
  };
  await root.add(admin.dn, new Map(Object.entries(person)));
  // The policy of the throwaway slapd makes a user who was given a password change it.
  await root.modify(admin.dn, [{ operation: 'replace', attribute: 'pwdReset', values: [] }]);
}

const makeGroup = () =>
  root.add(
    group,
    new Map(Object.entries({ objectclass: ['groupOfNames'], member: [slapd.rootDn, admin.dn.toString()] })),
  );
const joinGroup = () =>
  root.modify(group, [{ operation: 'add', attribute: 'member', values: [admin.dn.toString()] }]);

async function begin(): Promise<string> {
  const { headers } = await fixture.answer({
    body: { jsonrpc: '2.0', id: 1, method: 'Server_Status' },
    as: admin,
  });
  return /^SVCMANAG=([0-9a-f]{32});/.exec(headers['set-cookie'] ?? '')?.[1] ?? '';
}

async function outcome(cookie: string): Promise<string> {
  const { status, body: answer } = await fixture.answer({
    body: { jsonrpc: '2.0', id: 1, method: 'Check_LDAP_Object', params: { dn: slapd.people } },
    as: null,
    cookie,
  });
  if (status === 401) return 'login wanted';
  return answer && 'result' in answer ? 'in' : JSON.stringify(answer);
}

const misfortunes: Record<string, () => Promise<unknown>> = {
  'was locked': () =>
    root.modify(admin.dn, [
      { operation: 'replace', attribute: 'pwdAccountLockedTime', values: ['000001010000Z'] },
    ]),
  'has another password': () => root.setPassword(admin.dn, 'An0ther-one!', { mustChange: false }),
  'has to change the password': () => root.setPassword(admin.dn, admin.password, { mustChange: true }),
  'was renamed': () => root.rename(admin.dn, { rdn: [{ type: 'uid', value: `former${made}` }] }),
  'was removed': () => root.remove(admin.dn),
  'was taken out of the group': () =>
    root.modify(group, [{ operation: 'delete', attribute: 'member', values: [admin.dn.toString()] }]),
};

describe('an administrator who', () => {
  it.each(Object.keys(misfortunes))('%s is refused at the next request', async (name) => {
    const cookie = await begin();
    expect(await outcome(cookie)).toBe('in');
    await misfortunes[name]?.();
    expect(await outcome(cookie)).toBe('login wanted');
    expect(fixture.directory.open).toBe(0);
  });
});

describe('a session', () => {
  it('is bound once, and acts as its administrator: the access rules of slapd decide', async () => {
    const cookie = await begin();
    fixture.directory.takeAsked();
    for (let i = 0; i < 3; i += 1) expect(await outcome(cookie)).toBe('in');
    expect(fixture.directory.takeAsked()).not.toContain('bind');
    const change = {
      jsonrpc: '2.0',
      id: 1,
      method: 'Remove_LDAP_Object',
      params: { dn: `uid=user1,${slapd.people}` },
    };
    expect((await fixture.answer({ body: change, as: null, cookie })).body).toMatchObject({
      error: { code: -32003, reason: 'permission_denied' },
    });
    expect(fixture.events().at(-1)?.text).toBe(
      `${admin.dn}: Remove_LDAP_Object dn="uid=user1,${slapd.people}": refused (permission_denied: Could not remove LDAP object 'uid=user1,${slapd.people}' (no write access to parent))`,
    );
    await fixture.answer({ body: change, as: null, cookie, closing: true });
  });

  it('outlives a restart of the directory', async () => {
    const cookie = await begin();
    await slapd.restart();
    expect(await outcome(cookie)).toBe('in');
    expect(await outcome(cookie)).toBe('in');
  });
});

/** Effects that load does not change, and time does. */
describe('a read in the session of an administrator whom `super_admins` names', () => {
  const calls = 20;
  /** Measured 92, four of the test's own among them. */
  const mostPromises = 96;
  let cookie: string;

  const read = async () => {
    const params = { dn: `uid=user1,${slapd.people}`, attrs: ['cn', 'sn', 'mail', 'mobile'] };
    const body = { jsonrpc: '2.0', id: 1, method: 'Get_User_Attrs', params };
    expect((await fixture.answer({ body, as: null, cookie })).body).toMatchObject({
      result: { cn: expect.anything() },
    });
  };

  beforeEach(async () => {
    if (!(await root.read(Dn.parse(`uid=named,${slapd.people}`), ['1.1']))) await hire('named');
    else admin = { ...admin, dn: Dn.parse(`uid=named,${slapd.people}`), username: 'named' };
    cookie = await begin();
    for (let n = 0; n < calls; n += 1) await read();
    fixture.directory.takeAsked();
  });

  it('asks the directory whether the entry has changed, and for what is read', async () => {
    await read();
    expect(fixture.directory.takeAsked()).toEqual(['revision', 'read']);
  });

  it('waits for no disk', async () => {
    const { store } = fixture.ports;
    const writes = ['commit', 'admit', 'put', 'remove', 'take', 'claim', 'count', 'swap', 'update'] as const;
    const spied = writes.map((name) => vi.spyOn(store, name));
    await read();
    const called = spied.flatMap((one, index) => one.mock.calls.map(() => writes[index]));
    vi.restoreAllMocks();
    expect(called).toEqual([]);
  });

  it('makes so many promises, and no more', async () => {
    let made = 0;
    const hook = createHook({
      init: (_, type) => {
        if (type === 'PROMISE') made += 1;
      },
    }).enable();
    for (let n = 0; n < calls; n += 1) await read();
    hook.disable();
    expect(Math.round(made / calls)).toBeLessThanOrEqual(mostPromises);
  });
});
