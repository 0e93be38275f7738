/**
 * slapd killed with -9 while logins are under way, and started again: a login ends with `Server error` or an answer that is right,
 * and nobody has lost anything by it.
 *
 * The guard: found, absent and unknown are three answers (packages/ldap/src/searches.ts), and what is unknown counts neither way.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { directories, type Ground } from './directories.ts';
import { addUser, codeAt, dnOf, done, give, secretOf, token, withoutLimits } from './people.ts';

const ldapPassword = 'alice-Pa55';
const users = Array.from({ length: 30 }, (_, n) => `user${n}`);

let ground: Ground;
beforeAll(async () => {
  ground = await directories.OpenLDAP(withoutLimits.config ?? {});
  for (const name of users) {
    await addUser(ground, name, ldapPassword);
    await give(ground, name, { ...token('TOTP'), TokenKey: secretOf(name) });
  }
});
afterAll(() => ground.close());

/** With the code of this moment. @returns the word for how it was answered */
async function logIn(username: string): Promise<string> {
  const otpPassword = codeAt(Math.floor(ground.clock.now() / 30_000), secretOf(username));
  const answer = await ground.service.web.otp.normalLogin({ username, ldapPassword, otpPassword });
  return answer.code === 0 ? answer.error : answer.code === 1 ? 'granted' : 'challenge';
}

const noFailures = { blocked: false, seconds: 0, passwords: 0, codes: 0 };

const allLogIn = (): Promise<string[]> => Promise.all(users.map(logIn));

it.each(['service.search', 'authenticate'])(
  'it is killed as the first login comes to %s',
  async (question) => {
    ground.clock.advance(30_000);
    ground.directory.takeAsked();
    const underWay = allLogIn();
    while (!ground.directory.asked.includes(question)) await nextTurn();
    await ground.halt?.('SIGKILL');
    const answers = await underWay;
    await ground.resume?.();
    expect(answers).toContain('ServerError');
    const right = (answer: string) => answer === 'ServerError' || answer === 'granted';
    expect(answers.filter((answer) => !right(answer))).toEqual([]);
    for (const name of users)
      expect(await done(ground, 'Otp.Block_Check', { dn: dnOf(ground, name) })).toEqual(noFailures);
    // What was answered holds: its code is used up.
    for (const [n, answer] of answers.entries())
      if (answer === 'granted') expect(await logIn(users[n] ?? '')).toBe('AuthFailed');
    ground.clock.advance(30_000);
    expect(await allLogIn()).toEqual(users.map(() => 'granted'));
  },
);
