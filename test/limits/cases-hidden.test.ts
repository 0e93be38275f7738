/** The daily quota as a stranger sees it where anybody may try many passwords (docs/concepts/limits.md#daily-quota). */
import { afterEach, describe, expect, it } from 'vitest';
import type { Mode } from './oracle/oracle-attempt.ts';
import { atOnce, day, granted, minute, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const junk = '999999';

/** Returns the parts of an answer in which a stranger could see a difference: header, body and time; the status is the same. */
async function watch(username: string, fields: object) {
  const { clock, nodes } = stage.nodes;
  const begun = clock.now();
  const response = await nodes[0].answer(somewhere(), 'NormalLogin', { username, ...fields });
  const body = (await response.text()).replace(/"session":"\w+"/, '"session":""');
  return { took: clock.now() - begun, retryAfter: response.headers.get('retry-after'), body };
}

/** As somebody who tries one password again and again, and then looks what has become of the user. */
async function tellsOf(user: User, password: string, mode: Mode) {
  const wrong = mode === 'OTP' ? { otpPassword: junk } : { ldapPassword: 'other' };
  const begun = stage.nodes.clock.now();
  await stage.times(5, user, wrong);
  const results: unknown[] = [];
  for (let n = 0; n < 12; n += 1)
    results.push(await watch(user.name, { ldapPassword: password, otpPassword: junk }));
  const atOnce = Array.from({ length: 4 }, () =>
    watch(user.name, { ldapPassword: 'other', otpPassword: junk }),
  );
  // They have their turns one after the other, or are refused in the same second.
  results.push(Math.max(...(await Promise.all(atOnce)).map(({ took }) => took)) > 1000);
  stage.pass(begun + 10 * minute - stage.nodes.clock.now());
  for (let n = 0; n < 6; n += 1) results.push(await watch(user.name, n === 0 && mode === 'OTP' ? {} : wrong));
  return results;
}

describe('a stranger', () => {
  it.each(['LDAP', 'OTP', 'LDAPOTP'] as const)(
    'does not learn which password is right, in mode %s',
    async (mode) => {
      stage = await Stage.open({});
      const [one, other] = [await stage.user({ mode }), await stage.user({ mode })];
      const ofRight = await tellsOf(one, one.password, mode);
      expect(ofRight).toEqual(await tellsOf(other, 'wrong', mode));
    },
  );

  it('is not told so by what the directory may still see', async () => {
    stage = await Stage.open({ limits: { directory_failures: '14/1440' } });
    const [one, other] = [await stage.user({ mode: 'LDAP' }), await stage.user({ mode: 'LDAP' })];
    const ofRight = await tellsOf(one, one.password, 'LDAP');
    expect(ofRight).toEqual(await tellsOf(other, 'wrong', 'LDAP'));
  });
});

it('after ten that were half right under a refusal, nothing is judged for 24 hours all the same', async () => {
  stage = await Stage.open(atOnce);
  const user = await stage.user();
  await stage.shutOut(user);
  await stage.times(10, user, { ldapPassword: user.password, otpPassword: junk });
  const both = () => stage.ask(somewhere(), user, user.both());
  const asked = stage.nodes.binds.get(user.dn.toLowerCase());
  expect(await both()).toEqual(refused);
  stage.pass(5 * minute);
  expect(await both()).toEqual(refused);
  expect(stage.nodes.binds.get(user.dn.toLowerCase())).toEqual(asked);
  expect(await stage.manager('Otp.Block_Check', user)).toBeDefined();
  stage.pass(day);
  expect(await both()).toEqual(granted);
});

it('the directory sees no password where none is shown, of somebody who may not log in either', async () => {
  stage = await Stage.open(atOnce);
  const user = await stage.user({ settings: { 'Otp.EnableLogin': 'No' } });
  await stage.times(3, user, {});
  expect(stage.nodes.binds.get(user.dn.toLowerCase())).toBeUndefined();
});
