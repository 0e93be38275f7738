/**
 * What a login makes a server do, by count: these do not change with load, and time follows them. A login with a password and
 * a time-based code, in process, on OpenLDAP and the engines of one machine, at a known place.
 */
import { createHook } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { directories, type Ground } from './directories.ts';
import { addUser, codeNow, done, give, token, withoutLimits } from './people.ts';

const password = 'alice-Pa55';
const [warm, counted] = [40, 40];
/** Measured 218 and 5; whoever makes it fewer lowers these. */
const most = { promises: 225, timers: 6 };

let ground: Ground;
beforeAll(async () => {
  ground = await directories.OpenLDAP(withoutLimits.config ?? {});
  await addUser(ground, 'alice', password);
  await done(ground, 'Set_User_Settings', {
    dn: `uid=alice,ou=people,${ground.base}`,
    settings: { 'Otp.LoginMode': 'LDAPOTP' },
  });
  await give(ground, 'alice', token('TOTP'));
  for (let n = 0; n < warm; n += 1) await logIn();
});
afterAll(() => ground.close());

async function logIn(): Promise<void> {
  ground.clock.advance(30_000);
  const fields = { username: 'alice', ldapPassword: password, otpPassword: codeNow(ground) };
  const { code } = await ground.service.web.otp.normalLogin(fields);
  if (code !== 1) throw new Error(`the login was answered ${code}`);
}

/** What is made in the course of a login, by type (`PROMISE`, `Timeout`), on average. */
async function made(): Promise<(type: string) => number> {
  const counts = new Map<string, number>();
  await nextTurn();
  const hook = createHook({
    init: (_, type) => {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    },
  }).enable();
  for (let n = 0; n < counted; n += 1) await logIn();
  hook.disable();
  return (type) => Math.round((counts.get(type) ?? 0) / counted);
}

it('a login makes so many promises and timers, and no more', async () => {
  const of = await made();
  expect(of('PROMISE')).toBeLessThanOrEqual(most.promises);
  expect(of('Timeout')).toBeLessThanOrEqual(most.timers);
});

it('a login asks the directory for the user and the password', async () => {
  await addUser(ground, 'bob', password);
  const dn = `uid=bob,ou=people,${ground.base}`;
  await done(ground, 'Set_User_Settings', { dn, settings: { 'Otp.LoginMode': 'LDAP' } });
  await logIn();
  ground.directory.takeAsked();
  // In the same second, in which it is known that no group has settings.
  await ground.service.web.otp.normalLogin({ username: 'bob', ldapPassword: password });
  const asked = ground.directory.takeAsked().filter((question) => question !== 'capabilities');
  expect(asked).toEqual(['service.search', 'authenticate']);
});

it('a login waits for the disk once', async () => {
  const { store } = ground.ports;
  const writes = ['settle', 'put', 'remove', 'take', 'claim', 'count', 'swap', 'update'] as const;
  const spied = writes.map((name) => vi.spyOn(store, name));
  await logIn();
  const called = spied.flatMap((one, index) => one.mock.calls.map(() => writes[index]));
  vi.restoreAllMocks();
  expect(called).toEqual(['settle']);
});
