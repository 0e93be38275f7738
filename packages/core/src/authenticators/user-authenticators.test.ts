/** Factors and authenticators of a user, by settings and data, and the keys of the store for their codes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import type { CodeUser } from './authenticator.ts';
import { timeFloorKey } from './claim-keys.ts';
import { lastCodeKeyOf } from './last-code.ts';
import { emergencyChanges, emergencyOf, listChanges } from './lists.ts';
import { isSent } from './sent-code.ts';
import {
  clock,
  dataOf,
  hotpToken,
  keys,
  type OwnerOptions,
  ocraToken,
  ownerOf,
  secret,
  userOf,
} from './testing/owner.ts';
import type { Token } from './token.ts';
import {
  authenticatorsOf,
  codeLengths,
  distinctAuthenticators,
  factorOf,
  kindsOf,
  knownCodesKeys,
  prefixKey,
  prefixOf,
  presetFactor,
  questionFor,
  readKnown,
  withQuestion,
  withSentCode,
} from './user-authenticators.ts';

const view = { clock, keys };
const list = { secret, digits: 8, size: 2, used: new Set<number>() };
const withList = (used: readonly number[] = []) => dataOf(listChanges({ ...list, used: new Set(used) }));
const emergency = (text: string) => {
  const terms = { start: clock.now(), end: clock.now() + 60_000, uses: 0 };
  return dataOf(emergencyChanges(emergencyOf(text, terms)));
};

describe('the factor of a user', () => {
  it.each<[string, OwnerOptions, string | undefined]>([
    ['a token', { tokens: [hotpToken] }, 'TOKEN'],
    ['a disabled token', { tokens: [{ ...hotpToken, enabled: false }] }, undefined],
    ['a list', { settings: { OTPType: 'LIST' }, data: withList([0]) }, 'LIST'],
    ['a list whose codes are all used', { settings: { OTPType: 'LIST' }, data: withList([0, 1]) }, undefined],
    ['no list', { settings: { OTPType: 'LIST' } }, undefined],
    ['a number', { settings: { OTPType: 'SMS' }, channels: { SMS: '+49151' } }, 'SMS'],
    ['no number', { settings: { OTPType: 'SMS' } }, undefined],
    ['an address', { settings: { OTPType: 'MAIL' }, channels: { MAIL: 'a@example.org' } }, 'MAIL'],
    ['no address', { settings: { OTPType: 'MAIL' } }, undefined],
    ['the fallback', { settings: { OTPFallback: 'LIST' }, data: withList() }, 'LIST'],
    [
      'a kind that is to come',
      { settings: { OTPType: 'VOICE', OTPFallback: 'LIST' }, data: withList() },
      'LIST',
    ],
    ['an emergency password', { data: emergency('help me') }, 'EMERGENCY'],
  ])('of %s', (_, options, factor) => {
    expect(factorOf(userOf(options), view)).toBe(factor);
  });

  it('is that of the settings for an unknown user, without the kinds that are to come', () => {
    const presets = (settings: Record<string, string>) => {
      const user = userOf({ settings });
      return [presetFactor(user.settings), kindsOf(user)];
    };
    expect(presets({})).toEqual(['TOKEN', ['TOKEN']]);
    expect(presets({ OTPType: 'MAIL', OTPFallback: 'LIST' })).toEqual(['MAIL', ['MAIL', 'LIST']]);
    expect(presets({ OTPType: 'MAIL', OTPFallback: 'PROXY' })).toEqual(['MAIL', ['MAIL']]);
    expect(presets({ OTPType: 'PROXY', OTPFallback: 'LIST' })).toEqual(['LIST', ['LIST']]);
    expect(presets({ OTPType: 'PROXY', OTPFallback: 'VOICE' })).toEqual(['TOKEN', []]);
  });

  it('is sent for SMS and MAIL alone', () => {
    const factors = ['TOKEN', 'LIST', 'EMERGENCY', 'SMS', 'MAIL'] as const;
    expect(factors.filter(isSent)).toEqual(['SMS', 'MAIL']);
  });
});

describe('authenticators', () => {
  it('are the tokens that are neither disabled nor expired', () => {
    const tokens = [
      { ...hotpToken, enabled: false },
      { ...hotpToken, slot: 2, expires: clock.now() },
      { ...hotpToken, slot: 3 },
    ];
    expect(authenticatorsOf(userOf({ tokens }), view).map(({ name }) => name)).toEqual(['token 3']);
  });

  it('are of the kind that the settings want, whatever else the user has', () => {
    const names = (OTPType: string) =>
      authenticatorsOf(userOf({ settings: { OTPType }, tokens: [hotpToken], data: withList() }), view).map(
        ({ name }) => name,
      );
    expect([names('TOKEN'), names('LIST'), names('SMS')]).toEqual([['token 1'], ['the list'], []]);
  });

  it('with the same secret are one', () => {
    const names = (...tokens: OwnerOptions['tokens'] & object) =>
      distinctAuthenticators(userOf({ tokens }), view).map(({ name }) => name);
    const another = { ...hotpToken, slot: 3, secret: Buffer.alloc(20) };
    expect(names(hotpToken, { ...hotpToken, slot: 2 })).toEqual(['token 1']);
    expect(names(hotpToken, { ...hotpToken, slot: 2 }, another)).toEqual(['token 1', 'token 3']);
    expect(names(hotpToken)).toEqual(['token 1']);
  });

  it('include a code that was sent, while codes are sent that way', () => {
    const sent = { kind: 'SMS', digest: '', last: '' } as const;
    const kinds = (settings: Record<string, string>) => {
      const user = withSentCode(userOf({ settings }), sent, { session: 'A'.repeat(16), keys });
      return user.authenticators.map(({ kind }) => kind);
    };
    expect(kinds({ OTPFallback: 'SMS' })).toEqual(['SMS']);
    expect(kinds({ OTPType: 'MAIL' })).toEqual([]);
  });
});

describe('a question', () => {
  it('is asked of an OCRA token that can log in', () => {
    const question = (...tokens: OwnerOptions['tokens'] & object) =>
      questionFor({ tokens }, systemRandom, clock.now());
    expect(question(ocraToken)).toMatch(/^[0-9]{6}$/);
    expect(question({ ...ocraToken, enabled: false })).toBeUndefined();
    expect(question(hotpToken)).toBeUndefined();
  });

  it('is put to the OCRA tokens whose suite it fits alone', () => {
    const asked = (options: OwnerOptions) =>
      withQuestion(userOf(options), '123ABC').authenticators.map((one) => 'question' in one && one.question);
    const hexadecimal = { ...ocraToken, suite: 'OCRA-1:HOTP-SHA1-6:QH06' };
    expect(asked({ tokens: [hexadecimal] })).toEqual(['123ABC']);
    expect(asked({ tokens: [ocraToken] })).toEqual([undefined]);
    expect(asked({ tokens: [{ ...ocraToken, suite: 'none' }] })).toEqual([undefined]);
    expect(asked({ tokens: [{ ...hotpToken, suite: hexadecimal.suite }] })).toEqual([undefined]);
    expect(asked({ settings: { OTPType: 'LIST' }, data: withList() })).toEqual([false]);
  });
});

describe('the lengths of a code after a password', () => {
  const lengths = (options: OwnerOptions, text = 'password') => codeLengths(text, userOf(options), view);

  it('are those of the settings, the tokens and the list, with the PIN', () => {
    const shaped = { ...hotpToken, shape: { digits: 8, period: 30 }, id: 'push' };
    const yubikey: Token = { ...hotpToken, type: 'YUBIKEY', id: 'dteffuje' };
    expect(lengths({})).toEqual([6]);
    expect(lengths({ tokens: [hotpToken, shaped] })).toEqual([6, 8]);
    expect(lengths({ tokens: [yubikey, { ...yubikey, type: 'YUBICLOUD', id: '' }] })).toEqual([6, 40, 32]);
    expect(lengths({ settings: { OTPLength: '10' }, data: withList() })).toEqual([10, 8]);
    const pin = new Map([['Otp.Prefix', Buffer.from('4711')]]);
    expect(lengths({ settings: { OTPPrefix: 'Yes' }, data: dataOf(pin) })).toEqual([10]);
  });

  it('are that of an emergency password at the end of the text, up to 64', () => {
    const [long, longest] = ['e'.repeat(65), 'e'.repeat(64)];
    expect(lengths({ data: emergency('help me') }, 'passwordhelp me')).toEqual([6, 7]);
    expect(lengths({ data: emergency('help me') }, 'password')).toEqual([6]);
    expect(lengths({ data: emergency(longest) }, `password${longest}`)).toEqual([6, 64]);
    expect(lengths({ data: emergency(long) }, `password${long}`)).toEqual([6]);
  });
});

const registered = dataOf(new Map([[prefixKey, Buffer.from('Pin47')]]));

it('wants a PIN before codes if the setting says so and one is registered', () => {
  const wanted = (OTPPrefix: string, data = registered) =>
    prefixOf(ownerOf({ settings: { OTPPrefix }, data }));
  expect(wanted('Yes')).toBe('Pin47');
  expect(wanted('No')).toBeUndefined();
  expect(wanted('Yes', dataOf())).toBeUndefined();
});

describe('the keys of the store for codes', () => {
  const keysOf = (user: CodeUser) => new Set(knownCodesKeys(user));
  const wrongCodesOf = (user: CodeUser) =>
    user.authenticators.map((one) => 'wrongCodes' in one && one.wrongCodes);

  it('of a token are its wrong codes, its claims, the time floor, and the last code if it is good again', () => {
    const token: OwnerOptions = { tokens: [hotpToken] };
    const user = userOf(token);
    const claims = user.authenticators.map((one) => 'claims' in one && one.claims);
    const known = [...wrongCodesOf(user), ...claims, timeFloorKey];
    expect(keysOf(user)).toEqual(new Set(known));
    const again = userOf({ ...token, settings: { LastOTPTime: '60' } });
    expect(keysOf(again)).toEqual(new Set([...known, lastCodeKeyOf(again)]));
  });

  it('of a list are its wrong codes', () => {
    const list = { secret, digits: 6, size: 2, used: new Set<number>() };
    const user = userOf({ settings: { OTPType: 'LIST' }, data: dataOf(listChanges(list)) });
    expect(keysOf(user)).toEqual(new Set(wrongCodesOf(user)));
  });

  it.each(['SMS', 'MAIL'] as const)('of a code by %s are its wrong codes, and which was the last', (kind) => {
    const sent = { kind, digest: '', last: 'sent:last' };
    const user = withSentCode(userOf({ settings: { OTPType: kind } }), sent, {
      session: 'A'.repeat(16),
      keys,
    });
    expect(keysOf(user)).toEqual(new Set([...wrongCodesOf(user), 'sent:last']));
  });
});

describe('the state of these keys', () => {
  let node: Fixture;
  beforeAll(async () => {
    node = await openFixture();
  });
  afterAll(() => node.close());

  it('is read from the store without an admission', async () => {
    const { store } = node.ports;
    await store.put('sent:one', Buffer.from('value'), 60);
    await store.claim('token:one', 7, 60);
    const known = await readKnown(['sent:one', 'token:one', 'token:none'], store);
    expect(Buffer.from(known.value('sent:one') ?? []).toString()).toBe('value');
    expect([known.claimed('token:one'), known.claimed('token:none')]).toEqual([7, undefined]);
  });
});
