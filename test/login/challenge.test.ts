/** Logins in several steps, over every door on both directories: challenges, blocks, codes that were used. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from './cast.ts';
import { directories } from './directories.ts';
import type { Door, Fields } from './doors.ts';
import { done, isActiveDirectory } from './people.ts';
import {
  badRequest,
  both,
  challenge,
  emergency,
  granted,
  hotp,
  list,
  noSession,
  passwordOnly,
  refused,
  set,
  totp,
} from './rows/row.ts';
import { doorNames, openWorld, type World } from './world.ts';

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(directory);
  });
  afterAll(() => world.close());

  // Steps take their time on Active Directory, and the table has rows for its other doors.
  describe.each(isActiveDirectory ? doorNames.slice(0, 1) : doorNames)('over %s', (name) => {
    let users = 0;
    let ask: Door;
    beforeAll(() => {
      ask = world.door(name);
    });

    const newUser = (...does: readonly (readonly [string, object])[]): Promise<User> => {
      users += 1;
      return world.cast.find(`${users} over ${name}`, { done: does });
    };
    const logIn = (user: User, fields: Fields) => ask('normalLogin', { username: user.username, ...fields });
    const beginWith = async (user: User): Promise<string> =>
      String((await logIn(user, passwordOnly(user))).session);

    it('a challenge is answered by its user, once', async () => {
      const [user, other] = await Promise.all([newUser(totp), newUser(totp)]);
      const [code, session] = [user.code(), await beginWith(user)];
      const answer = (username: string, otpPassword: string) =>
        ask('challenge', { username, session, otpPassword });
      expect(await answer(other.username, code)).toEqual(refused);
      expect(await answer('nobody', code)).toEqual(refused);
      expect(await answer(user.username, '000000')).toEqual(refused);
      expect(await ask('challenge', { username: user.username, session })).toEqual(refused);
      expect(await answer(`DEFAULT\\${user.username.toUpperCase()}`, code)).toEqual(granted);
      expect(await answer(user.username, code)).toEqual(noSession);
      expect(await logIn(user, { ...passwordOnly(user), otpPassword: code })).toEqual(refused);
    });

    it.each([
      ['a HOTP token', [hotp], (user: User) => user.nextCode()],
      ['a list', [list, set({ OTPType: 'LIST' })], (user: User) => user.listCode()],
      ['an emergency password', [emergency], () => 'help me 48'],
    ])('a challenge is answered with a code of %s', async (_, does, codeOf) => {
      const user = await newUser(...does);
      const session = await beginWith(user);
      const otpPassword = await codeOf(user);
      expect(await ask('challenge', { username: user.username, session, otpPassword })).toEqual(granted);
    });

    it('a challenge is answered in the word of the specification', async () => {
      const user = await newUser(totp);
      const [otp, session] = [user.code(), await beginWith(user)];
      const answer = { username: user.username, session };
      expect(await ask('challenge', { ...answer, otp, otpPassword: '000000' })).toEqual(badRequest);
      expect(await ask('challenge', { ...answer, otp })).toEqual(granted);
    });

    it('a challenge ends when its time is over', async () => {
      const user = await newUser(totp, set({ ChallengeTimeout: '60' }));
      const asked = await logIn(user, passwordOnly(user));
      expect(asked).toEqual(challenge('TOKEN', 'TOKEN', 60));
      world.ground.clock.advance(60_000);
      const answer = { username: user.username, session: String(asked.session), otpPassword: user.code() };
      expect(await ask('challenge', answer)).toEqual(noSession);
    });

    it.each(['', 'short', 'A'.repeat(17), 'ABCDEFGH-JKLMNOP', 'ÄBCDEFGHIJKLMNOP'])(
      'a session id is 16 letters and digits, and %j is none',
      async (session) => {
        expect(await ask('challenge', { username: 'user0', session, otpPassword: '1' })).toEqual(badRequest);
      },
    );

    it('a session that is not there has ended', async () => {
      const session = 'A'.repeat(16);
      expect(await ask('challenge', { username: 'user0', session, otpPassword: '1' })).toEqual(noSession);
    });

    it('a code is good once', async () => {
      const user = await newUser(totp);
      const fields = both(user);
      expect([await logIn(user, fields), await logIn(user, fields)]).toEqual([granted, refused]);
    });

    it('MaxTries failures block for BlockTime', async () => {
      const user = await newUser(totp, set({ MaxTries: '2', BlockTime: '60' }));
      for (let tries = 0; tries < 2; tries += 1)
        expect(await logIn(user, { ldapPassword: 'wrong' })).toEqual(refused);
      const asks = { ldapPassword: user.password };
      expect(await logIn(user, asks)).toEqual(refused);
      world.ground.clock.advance(60_000);
      expect(await logIn(user, asks)).toMatchObject({ code: 2 });
    });

    it('a mode of a client ends with its time', async () => {
      const user = await newUser(totp);
      const right = () => logIn(user, { ...both(user), client: 'default' });
      await done(world.ground, 'Set_Client_Mode', { client: 'default', mode: 3, timeout: 60 });
      expect(await right()).toEqual(refused);
      world.ground.clock.advance(60_000);
      expect(await right()).toEqual(granted);
    });

    it('a success has its fields in the order of the WSDL', async () => {
      const user = await newUser(totp);
      expect(Object.keys(await logIn(user, both(user)))).toEqual([
        'code',
        'error',
        'message',
        'username',
        'domain',
        'data',
        'concat',
      ]);
    });

    it('the service tells how it is', async () => {
      const { status, message } = await ask('status', {});
      expect(status).toBe(true);
      expect(String(message).split('\n')).toEqual(statusLines.map((word) => expect.stringContaining(word)));
    });
  });
});

/** The lines of `otpStatus`. */
const statusLines = [
  'Server: ',
  'System: ',
  'Listener: ',
  'Uptime: ',
  'Cluster Node: ',
  'Local Memory: ',
  'Shared Memory: ',
  'Connectors: ',
];
