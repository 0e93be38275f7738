/**
 * At each door, all that a request asks of the store and the event log belongs to one request ({@link Patience}).
 *
 * Seen to fail with the guard taken out: `during` at each of the doors (service.ts, doors/web/door.ts, doors/manager/door.ts,
 * doors/manager/portal/portal-door.ts, doors/ldap/door.ts), `apart` in doors/manager/dispatch.ts.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { csrfToken } from '../foundation/http/page-session.ts';
import type { EventLog } from '../ports/event-log/event-log.ts';
import type { Ledger } from '../ports/store/ledger.ts';
import { webRequest } from '../testing/bed/children/echo.ts';
import { type Fixture, openFixture, type Person } from '../testing/bed/fixture.ts';

/** The request that each step was made for, in their order; undefined: for none. */
let steps: (object | undefined)[] = [];
const requests = new AsyncLocalStorage<object>();

const patience = {
  during: <T>(work: () => Promise<T>): Promise<T> => (requests.getStore() ? work() : patience.apart(work)),
  apart: <T>(work: () => Promise<T>): Promise<T> => requests.run({}, work),
};

/** Notes for which request each of its functions is called. */
const watched = <T extends Ledger | EventLog>(port: T): T =>
  new Proxy(port, {
    get: (_, name) => {
      const value = Reflect.get(port, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        steps.push(requests.getStore());
        return Reflect.apply(value, port, given);
      };
    },
  });

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({
    config: { settings: { 'Otp.LoginMode': 'LDAP' } },
    ports: ({ store, events }) => ({ store: watched(store), events: watched(events), patience }),
  });
  const { manager } = await fixture.service.manager.login(fixture.admin);
  await manager.Activate_LDAP_Object({ dn: fixture.users.alice.dn });
});
afterAll(() => fixture.close());
beforeEach(() => {
  steps = [];
});

const shownBy = ({ username, password }: Person) => ({ username, password });
const wrong = () => ({ username: 'alice', ldapPassword: 'wrong' });
const request = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => ({
  ...webRequest(path, {
    body: JSON.stringify(body),
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
  }),
  address: '192.0.2.1',
});

it.each<[string, () => Promise<unknown>]>([
  ['REST', () => fixture.service.web.answer(request('/otp/json/otpNormalLogin/', wrong()))],
  ['in process', () => fixture.service.web.otp.normalLogin(wrong())],
  [
    'LDAP',
    () =>
      fixture.service.ldap.bind(
        { name: 'alice', password: 'wrong' },
        { address: '192.0.2.1', port: 1, signal: new AbortController().signal },
      ),
  ],
  [
    'the Manager',
    () => fixture.call('Set_User_Attrs', { dn: fixture.users.alice.dn, attrs: { mobile: '1' } }),
  ],
  ['the Manager in process', () => fixture.service.manager.login(fixture.admin)],
  [
    'the Admin Portal',
    () =>
      fixture.service.portal.answerSession(request('/admin/session', { username: 'admin', password: 'x' })),
  ],
])('%s: all steps of a request share one deadline', async (_, ask) => {
  await ask();
  expect(steps.length).toBeGreaterThan(1);
  expect(new Set(steps).size).toBe(1);
  expect(steps[0]).toBeDefined();
});

it('a call of the Admin Portal has one deadline, with the session that it comes by', async () => {
  const { admin, service } = fixture;
  const signedIn = await service.portal.answerSession(request('/admin/session', shownBy(admin)));
  const [, cookie = ''] = /^SVCADMIN=([0-9a-f]+);/.exec(signedIn.cookies?.[0] ?? '') ?? [];
  const params = { dn: fixture.users.alice.dn, attrs: { mobile: '3' } };
  const call = request(
    '/admin/rpc',
    { jsonrpc: '2.0', id: 1, method: 'Set_User_Attrs', params },
    {
      cookie: `SVCADMIN=${cookie}`,
      'x-csrf-token': csrfToken(cookie),
    },
  );
  steps = [];
  expect(await service.portal.answerCall(call)).toMatchObject({ status: 200 });
  expect(steps.length).toBeGreaterThan(1);
  expect([new Set(steps).size, steps[0] === undefined]).toEqual([1, false]);
});

it('a call of a login in process has a deadline of its own', async () => {
  const { manager, close } = await fixture.service.manager.login(fixture.admin);
  steps = [];
  await manager.Set_User_Attrs({ dn: fixture.users.alice.dn, attrs: { mobile: '1' } });
  expect(steps.length).toBeGreaterThan(0);
  expect(steps).not.toContain(undefined);
  await close();
});

it('each call of a batch has a deadline of its own', async () => {
  const attrs = { mobile: '2' };
  const body = [1, 2, 3].map((id) => ({
    ...{ jsonrpc: '2.0', id, method: 'Set_User_Attrs' },
    params: { dn: fixture.users.alice.dn, attrs },
  }));
  await fixture.answer({ body });
  const [first, ...rest] = [...new Set(steps)];
  expect(steps).not.toContain(undefined);
  // The login, and three calls.
  expect([first === undefined, rest.length]).toEqual([false, 3]);
});
