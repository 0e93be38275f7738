/**
 * What a login makes a server do, by count: these do not change with load, and time follows them. A login with a password and
 * a time-based code, in process, on OpenLDAP and the engines of one machine, at a known place.
 */
import { createHook } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { directories, type Ground } from './directories.ts';
import { addUser, codeAt, done, give, secretOf, token, withoutLimits } from './people.ts';

const password = 'alice-Pa55';
/** Each logs in twice: to become known here, and to be counted. */
const users = Array.from({ length: 40 }, (_, n) => `user${n}`);
/** Measured 70 and 1: promises that a login awaits, one by one. */
const most = { promises: 80, timers: 1 };

let ground: Ground;
beforeAll(async () => {
  ground = await directories.OpenLDAP(withoutLimits.config ?? {});
  for (const name of users) {
    await addUser(ground, name, password);
    await give(ground, name, { ...token('TOTP'), TokenKey: secretOf(name) });
  }
  for (const name of users) await logIn(name);
});
afterAll(() => ground.close());

async function logIn(username: string): Promise<void> {
  const otpPassword = codeAt(Math.floor(ground.clock.now() / 30_000), secretOf(username));
  const { code } = await ground.service.web.otp.normalLogin({
    username,
    ldapPassword: password,
    otpPassword,
  });
  if (code !== 1) throw new Error(`the login was answered ${code}`);
}

/** All of them, at the next code. */
async function logAllIn(): Promise<void> {
  ground.clock.advance(30_000);
  for (const name of users) await logIn(name);
}

/** What is made in the course of a login, by type (`PROMISE`, `Timeout`), on average. */
async function made(): Promise<(type: string) => number> {
  const counts = new Map<string, number>();
  await logAllIn();
  await nextTurn();
  const hook = createHook({
    init: (_, type) => {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    },
  }).enable();
  await logAllIn();
  hook.disable();
  return (type) => Math.round((counts.get(type) ?? 0) / users.length);
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
  await logAllIn();
  ground.directory.takeAsked();
  // In the same second, in which it is known that no group has settings.
  await ground.service.web.otp.normalLogin({ username: 'bob', ldapPassword: password });
  const asked = ground.directory.takeAsked().filter((question) => question !== 'capabilities');
  expect(asked).toEqual(['service.search', 'authenticate']);
});

it('a login waits for the disk once', async () => {
  const { store } = ground.ports;
  const writes = ['commit', 'put', 'remove', 'take', 'claim', 'count', 'swap', 'update'] as const;
  const spied = writes.map((name) => vi.spyOn(store, name));
  const [first = ''] = users;
  ground.clock.advance(30_000);
  await logIn(first);
  const called = spied.flatMap((one, index) => one.mock.calls.map(() => writes[index]));
  vi.restoreAllMocks();
  expect(called).toEqual(['commit']);
});

it('a warm login of a member of a group that lowers a setting asks the directory for the user and the password', async () => {
  const { base } = ground;
  await addUser(ground, 'carol', password);
  const [dn, group] = [`uid=carol,ou=people,${base}`, `cn=lower,ou=groups,${base}`];
  await done(ground, 'Create_LDAP_Object', {
    dn: group,
    attrs: { objectclass: ['groupOfNames', 'webadmGroup'], cn: 'lower', member: dn },
  });
  await done(ground, 'Set_User_Settings', { dn: group, settings: { 'Otp.LoginMode': 'LDAP' } });
  const login = { username: 'carol', ldapPassword: password };
  const log = async () => {
    ground.directory.takeAsked();
    const { code } = await ground.service.web.otp.normalLogin(login);
    return { code, asked: ground.directory.takeAsked().filter((question) => question !== 'capabilities') };
  };
  const warm = { code: 1, asked: ['service.search', 'authenticate'] };
  expect(await log()).not.toEqual(warm);
  expect(await log()).toEqual(warm);
});
