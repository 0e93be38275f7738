/**
 * A hundred wrong codes in a row are the most that a token takes, whatever the mode and whoever asks
 * (docs/concepts/limits.md#authenticator-cap): over all doors, on two nodes, at once. A stranger disables nothing by them.
 *
 * Seen to fail with the guard taken out: in limits/authenticator-cap.ts, let `mayTry` say that all may be tried, and in
 * limits/admission-rules.ts leave out what capped authenticators mean.
 */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, doors } from './doors.ts';
import { addUser, codeAt, codeNow, dnOf, done, give, token, withoutLimits } from './people.ts';
import { granted, refused } from './rows/row.ts';

const password = 'carols-Pa55word';

let fixture: Fixture;
let second: Fixture;
let dn: string;
beforeEach(async () => {
  printed = [];
  fixture = await openFixture(withoutLimits);
  second = await fixture.another(withoutLimits);
  await addUser(fixture, 'carol', password);
  await give(fixture, 'carol', token('TOTP'));
  dn = dnOf(fixture, 'carol');
});
afterEach(async () => {
  await second.close();
  await fixture.close();
});

type Fields = Readonly<Record<string, string>>;

const ways = () =>
  Object.values(doors).flatMap((open) => [fixture, second].map(({ service }) => open(service)));
/** Codes of the user's printed list: chance may have made one of them a code that a test takes for wrong. */
let printed: readonly string[] = [];
function wrongCode(n: number): string {
  const code = String((Number(codeNow(fixture)) + 1 + n) % 1_000_000).padStart(6, '0');
  return printed.includes(code) ? wrongCode(n + 1000) : code;
}

let places = 0;
/** Nobody has been there before: whoever comes from there is a stranger. */
function elsewhere(): Fields {
  places += 1;
  return { source: `198.51.${Math.floor(places / 250) % 250}.${(places % 250) + 1}` };
}

/** As many as find room while they wait for each other, over both nodes. */
const atOnce = 30;

/** So many wrong codes, over all doors of both nodes. */
async function rush(count: number, fields: Fields): Promise<void> {
  const all = ways();
  for (let from = 0; from < count; from += atOnce) {
    const length = Math.min(atOnce, count - from);
    const answers: Promise<Answer | undefined>[] = Array.from({ length }, async (_, n) => {
      const request = { username: 'carol', otpPassword: wrongCode(from + n), ...elsewhere(), ...fields };
      return all[n % all.length]?.('normalLogin', request);
    });
    expect(await Promise.all(answers)).toEqual(answers.map(() => refused));
  }
}

const logged = (words: string) => fixture.countEvents(words);

function logIn(fields: Fields, operation: 'normalLogin' | 'simpleLogin' = 'normalLogin') {
  const request = { username: 'carol', ...elsewhere(), ...fields };
  return doors['in process']?.(fixture.service)(operation, request);
}
/** A code that was not used. */
function code(): string {
  fixture.clock.advance(30_000);
  return codeNow(fixture);
}
const alone = { settings: 'LoginMode=OTP' };
const both = () => logIn({ ldapPassword: password, otpPassword: code() });

describe('by strangers, without a password', () => {
  it('a hundred are judged, and the token is not disabled: it is tried behind the right password', async () => {
    await rush(150, alone);
    expect(logged('wrong code')).toBe(100);
    expect(logged('token 1 is not tried as a single factor at unknown sources')).toBe(1);
    expect(await logIn({ ...alone, otpPassword: code() })).toEqual(refused);
    expect(await logIn({ ...alone, otpPassword: code(), ldapPassword: 'wrong' })).toEqual(refused);
    expect(await logIn({ ...alone, otpPassword: '000000', ldapPassword: password })).toEqual(refused);
    expect(await logIn({ ...alone, otpPassword: code(), ldapPassword: password })).toEqual(granted);
    expect(await logIn({ ...alone, otpPassword: code() })).toEqual(granted);
  });

  it('both in one text open it too, and so does a login that wants both', async () => {
    await rush(100, alone);
    expect(await logIn({ ...alone, anyPassword: code() }, 'simpleLogin')).toEqual(refused);
    expect(await logIn({ ...alone, anyPassword: password + code() }, 'simpleLogin')).toEqual({
      ...granted,
      concat: 6,
    });
    await rush(100, alone);
    expect(await both()).toEqual(granted);
    expect(await logIn({ ...alone, otpPassword: code() })).toEqual(granted);
  });

  it('a challenge that began without a password is one more way, a challenge behind one is not', async () => {
    await rush(100, alone);
    const answer = async (fields: Fields) => {
      const { session } = (await logIn(fields)) ?? {};
      const answered = { username: 'carol', session: String(session), otpPassword: code() };
      return doors['in process']?.(fixture.service)('challenge', answered);
    };
    expect(await answer(alone)).toEqual(refused);
    expect(await answer({ ldapPassword: password })).toEqual(granted);
  });

  it.each([
    ['Otp.Block_Reset', {}],
    ['Otp.Token_Enable', {}],
    ['Otp.TOTP_Register', { key: Buffer.from('a secret of 20 bytes').toString('base64') }],
  ])('an administrator ends the row with %s', async (method, params) => {
    await rush(100, alone);
    await done(fixture, method, { dn, ...params });
    expect(await logIn({ ...alone, otpPassword: code() })).toEqual(granted);
  });

  it('wrong codes of a resynchronisation are counted with them', async () => {
    await rush(99, alone);
    const otp = '000000';
    expect(await done(fixture, 'Otp.TOTP_Resync', { dn, otp })).toBe(false);
    expect(await logIn({ ...alone, otpPassword: code() })).toEqual(refused);
    await expect(done(fixture, 'Otp.TOTP_Resync', { dn, otp: code() })).rejects.toThrow('enable it again');
  });

  it('a list is a token as others are', async () => {
    await done(fixture, 'Otp.Token_Unregister', { dn });
    await done(fixture, 'Otp.List_Register', { dn, size: 20 });
    const codes = (await done(fixture, 'Otp.List_Fetch', { dn })) as string[];
    printed = codes;
    await rush(100, alone);
    expect(await logIn({ ...alone, otpPassword: codes[0] ?? '' })).toEqual(refused);
    const together = { ...alone, ldapPassword: password, otpPassword: codes[0] ?? '' };
    expect(await logIn(together)).toEqual(granted);
  });
});

describe('behind the right password', () => {
  it('a hundred are judged, and the token is disabled until it is enabled', async () => {
    await rush(150, { ldapPassword: password });
    expect(logged('password right, wrong code')).toBe(100);
    expect(logged('token 1 is disabled')).toBe(1);
    expect(await both()).toEqual(refused);
    await done(fixture, 'Otp.Token_Enable', { dn });
    expect(await both()).toEqual(granted);
  });

  it('only those are counted: strangers bring nobody nearer to it', async () => {
    await rush(100, alone);
    await rush(99, { ldapPassword: password });
    expect(await both()).toEqual(granted);
  });

  it('a full success ends the row, a refused one does not', async () => {
    await rush(99, { ldapPassword: password });
    expect(await both()).toEqual(granted);
    await rush(99, { ldapPassword: password });
    expect(await logIn({ ldapPassword: 'wrong', otpPassword: code() })).toEqual(refused);
    await rush(1, { ldapPassword: password });
    expect(await both()).toEqual(refused);
  });
});

it('the log tells a code that was used before from a wrong one, and the caller is told nothing', async () => {
  const used = { ldapPassword: password, otpPassword: code() };
  expect(await logIn(used)).toEqual(granted);
  const answers = [await logIn(used), await logIn({ ...used, otpPassword: wrongCode(7) })];
  expect(answers).toEqual([refused, refused]);
  const [replayed = '', wrong = ''] = fixture
    .events()
    .slice(-2)
    .map(({ text }) => text);
  expect(replayed).toContain('refused: password right, the code was used before, or one after it (replay)');
  expect(wrong).toMatch(/refused: password right, wrong code$/);
});

it('a HOTP code that was passed is told as used', async () => {
  await give(fixture, 'carol', token('HOTP'));
  const at = (counter: number) => logIn({ ldapPassword: password, otpPassword: codeAt(counter) });
  expect([await at(3), await at(2)]).toEqual([granted, refused]);
  expect(fixture.events().at(-1)?.text).toContain('(replay)');
});
