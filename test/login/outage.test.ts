/**
 * Directory, store or event log down: `Server error` over every door, and nobody's failure.
 *
 * The guard: a login is answered when the step that writes all of it down is durable (login/login.ts, `commit`), and what
 * cannot be judged is never settled.
 */
import { ServiceError } from '@watchword/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Cast, type User } from './cast.ts';
import { directories, type Ground } from './directories.ts';
import { type Door, doors, type Fields } from './doors.ts';
import { done } from './people.ts';
import { both, granted, serverError, set, totp } from './rows/row.ts';

const unavailable = () => Promise.reject(new ServiceError('unavailable', { detail: 'it is down' }));

/** Calls of a port that fail for as long as they are named in `down`. */
function fallible<T extends object>(port: T, down: ReadonlySet<string>): T {
  return new Proxy(port, {
    get: (target, name) => {
      if (down.has(String(name))) return unavailable;
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'object' && member !== null) return fallible(member, down);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** One wrong login blocks for an hour: whoever is let in afterwards has no failure. */
const anxious = [totp, set({ MaxTries: '1', BlockTime: '3600' })];
const config = { limits: { login_failure_delay_ms: 0 } };

let ground: Ground;
let cast: Cast;
const down = new Set<string>();
const ways = new Map<string, Door>();
beforeAll(async () => {
  ground = await directories.OpenLDAP(config);
  cast = new Cast(ground);
  const node = await ground.another({
    config,
    ports: ({ directory, store, events }) => ({
      directory: fallible(directory, down),
      store: fallible(store, down),
      events: fallible(events, down),
    }),
  });
  for (const [name, open] of Object.entries(doors)) ways.set(name, open(node.service));
});
afterEach(() => down.clear());
afterAll(() => ground.close());

const failures = (user: User) => done(ground, 'Otp.Block_Check', { dn: user.dn });
const none = { blocked: false, seconds: 0, passwords: 0, codes: 0 };

describe.each(Object.keys(doors))('over %s', (name) => {
  const logIn = (user: User, fields: Fields) =>
    ways.get(name)?.('normalLogin', { username: user.username, ...fields });
  const newUser = (title: string) => cast.find(`${title} over ${name}`, { done: anxious });

  it('the directory is down', async () => {
    const user = await newUser('directory');
    await ground.halt?.();
    const answers = [await logIn(user, both(user)), await logIn(user, { ldapPassword: 'wrong' })];
    await ground.resume?.();
    expect(answers).toEqual([serverError, serverError]);
    expect(await logIn(user, both(user))).toEqual(granted);
    expect(await failures(user)).toEqual(none);
  });

  it.each(['search', 'authenticate', 'admit', 'commit'])(
    'a wrong login counts for nobody while %s fails',
    async (call) => {
      const user = await newUser(call);
      down.add(call);
      expect(await logIn(user, { ldapPassword: 'wrong' })).toEqual(serverError);
      down.clear();
      expect(await failures(user)).toEqual(none);
      expect(await logIn(user, both(user))).toEqual(granted);
    },
  );

  it.each(['search', 'authenticate', 'admit', 'commit'])(
    'a right login does not succeed while %s fails',
    async (call) => {
      const user = await newUser(`right login, ${call}`);
      down.add(call);
      expect(await logIn(user, both(user))).toEqual(serverError);
      down.clear();
      expect(await failures(user)).toEqual(none);
      expect(await logIn(user, both(user))).toEqual(granted);
    },
  );
});
