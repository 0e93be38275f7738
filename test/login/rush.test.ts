/**
 * Limits cannot be outrun: five hundred wrong logins at the same moment, over all doors and on two nodes, each from a
 * place of its own, and as many of them are judged as one after the other would be (docs/concepts/limits.md#wait-queue).
 *
 * Seen to fail with the guard taken out: in limits/admission-try.ts, let `tryLocked` leave out `isUnlocked`.
 */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, doors } from './doors.ts';
import { addUser, codeNow, dnOf, done, doorAddresses, give, token } from './people.ts';

const password = 'carols-Pa55word';
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };

let fixture: Fixture;
let second: Fixture;
beforeEach(async () => {
  const config = {
    limits: { login_failure_delay_ms: 0 },
    trusted_callers: doorAddresses,
    request_settings: doorAddresses,
  };
  fixture = await openFixture({ config });
  second = await fixture.another({ config });
  await addUser(fixture, 'carol', password);
  await give(fixture, 'carol', token('TOTP'));
});
afterEach(async () => {
  await second.close();
  await fixture.close();
});

/** Five hundred logins at once; `fields` says what differs from one to the next. */
function rush(
  fields: (n: number) => Readonly<Record<string, string>>,
  isDoor = (_: string) => true,
): Promise<readonly Answer[]> {
  const open = Object.entries(doors).flatMap(([name, one]) => (isDoor(name) ? [one] : []));
  const ways = open.flatMap((one) => [fixture, second].map(({ service }) => one(service)));
  const logins = Array.from({ length: 500 }, async (_, n) => {
    const source = `198.51.${Math.floor(n / 250)}.${(n % 250) + 1}`;
    return (await ways[n % ways.length]?.('normalLogin', { source, ...fields(n) })) ?? {};
  });
  return Promise.all(logins);
}

const wrongCode = (n: number) => String((Number(codeNow(fixture)) + 1 + n) % 1_000_000).padStart(6, '0');
const judged = (words: string) => fixture.countEvents(words);
const login = (fields: Readonly<Record<string, string>>) =>
  doors['in process']?.(fixture.service)('normalLogin', {
    username: 'carol',
    source: '203.0.113.9',
    ...fields,
  });
const both = () => login({ ldapPassword: password, otpPassword: codeNow(fixture) });

describe('of 500 wrong logins at once', () => {
  it('ten wrong codes behind the right password are judged: five, and five of both together', async () => {
    const answers = await rush((n) => ({
      username: 'carol',
      ldapPassword: password,
      otpPassword: wrongCode(n),
    }));
    expect(answers).toEqual(answers.map(() => refused));
    expect(judged('password right, wrong code')).toBe(10);
    expect(await both()).toEqual(refused);
    fixture.clock.advance(86_400_000);
    expect(await both()).toMatchObject({ code: 1 });
  });

  it('five wrong passwords, however the name is spelled', async () => {
    const spellings = ['carol', 'CAROL', 'Default\\carol', 'default\\Carol'];
    const answers = await rush((n) => ({ username: spellings[n % 4] ?? '', ldapPassword: `wrong ${n}` }));
    expect(answers).toEqual(answers.map(() => refused));
    expect(judged('refused: wrong password')).toBe(5);
    expect(await login({ ldapPassword: password })).toEqual(refused);
    fixture.clock.advance(300_000);
    expect(await login({ ldapPassword: password })).toMatchObject({ code: 2 });
  });

  it('five wrong codes of a login without a password', async () => {
    const settings = 'LoginMode=OTP';
    await rush((n) => ({ username: 'carol', otpPassword: wrongCode(n), settings }));
    expect(judged('refused: wrong code')).toBe(5);
  });

  it('twenty from one place, whoever they are for', async () => {
    const isOneCaller = (door: string) => door !== 'in process';
    await rush((n) => ({ username: `nobody ${n}`, ldapPassword: 'x', source: '198.51.100.1' }), isOneCaller);
    expect(judged('there is no such user')).toBe(20);
  });
});

describe('the token', () => {
  it('cannot be locked by somebody without the password', async () => {
    await rush((n) => ({ username: 'carol', ldapPassword: `wrong ${n}`, otpPassword: wrongCode(n) }));
    expect(await done(fixture, 'Otp.Block_Check', { dn: dnOf(fixture, 'carol') })).toMatchObject({
      ...{ blocked: true, passwords: 5, codes: 0 },
    });
    expect(await both()).toMatchObject({ code: 1 });
  });

  it('is disabled after a hundred wrong codes in a row, until it is enabled', async () => {
    const dn = dnOf(fixture, 'carol');
    for (let wrong = 0; wrong < 100; wrong += 1) {
      await login({ ldapPassword: password, otpPassword: wrongCode(wrong), source: `198.51.100.${wrong}` });
      if (wrong % 5 === 4) fixture.clock.advance(86_400_000);
    }
    expect(fixture.events().at(-1)?.text).toContain('token 1 is disabled');
    expect(await both()).toEqual(refused);
    await done(fixture, 'Otp.Token_Enable', { dn });
    expect(await both()).toMatchObject({ code: 1 });
  });
});
