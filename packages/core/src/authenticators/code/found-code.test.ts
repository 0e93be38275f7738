/** Codes found right, used before, or right for another moment. */
import { describe, expect, it } from 'vitest';
import { emergencyChanges, emergencyOf } from '../list/emergency.ts';
import { codesOf, listChanges } from '../list/list.ts';
import {
  answerTo,
  clock,
  codeAt,
  dataOf,
  type HolderOptions,
  hotpToken,
  keys,
  knownOf,
  ocraToken,
  secret,
  step,
  totpToken,
  userOf,
} from '../testing/holder.ts';
import { findCode, otherMoment, wasUsed } from './found-code.ts';
import { keptLastCode } from './last-code.ts';

const list = { secret, digits: 6, size: 3, used: new Set([0]) };
const [usedCode = '', freeCode = ''] = codesOf(list);
const terms = { start: clock.now(), end: clock.now() + 60_000, uses: 0 };
const pin = new Map([['Otp.Prefix', Buffer.from('4711')]]);
const prefixed = { settings: { OTPPrefix: 'Yes' }, data: dataOf(pin) };

const totp = { tokens: [totpToken] };
const hotp = { tokens: [hotpToken] };
const passed = { tokens: [{ ...totpToken, state: { step, drift: 0 } }] } as const;
const listed = { settings: { OTPType: 'LIST' }, data: dataOf(listChanges(list)) };
const cloudOtp = `dteffuje${'c'.repeat(32)}`;
const cloud = { tokens: [{ ...hotpToken, type: 'YUBICLOUD', id: 'dteffuje' }] } as const;
const emergency = { data: dataOf(emergencyChanges(emergencyOf('help me', terms))) };

const firstOf = (options: HolderOptions) => {
  const user = userOf(options);
  const [of] = user.authenticators;
  if (!of) throw new Error('nothing that a code could be of');
  return { user, of };
};

describe('a code is found', () => {
  const kindOf = (text: string, options: HolderOptions, question?: string) => {
    const { user, of } = firstOf(options);
    const asked = of.kind === 'TOKEN' ? { ...of, question } : of;
    return findCode(text, asked, user, { known: knownOf(), keys, clock })?.kind;
  };

  it.each<[string, string, HolderOptions, string | undefined]>([
    ['a TOTP token', codeAt(step), totp, 'token'],
    ['a TOTP token that has passed it', codeAt(step), passed, undefined],
    ['a HOTP token', codeAt(5), hotp, 'token'],
    ['a HOTP token that has passed it', codeAt(4), hotp, undefined],
    ['a Yubikey of a verification server', cloudOtp, cloud, 'cloud'],
    ['another Yubikey', cloudOtp.replace('d', 'c'), cloud, undefined],
    ['a list', freeCode, listed, 'list'],
    ['a list that has had it used', usedCode, listed, undefined],
    ['an emergency password', 'help me', emergency, 'emergency'],
    ['another emergency password', 'help you', emergency, undefined],
    ['a PIN before it', `4711${codeAt(step)}`, { ...totp, ...prefixed }, 'token'],
    ['a wrong PIN before it', `4712${codeAt(step)}`, { ...totp, ...prefixed }, undefined],
  ])('of %s', (_, text, options, kind) => {
    expect(kindOf(text, options)).toBe(kind);
  });

  it('of a token again, as long as its last code is good', () => {
    const { user, of } = firstOf({ ...passed, settings: { LastOTPTime: '60' } });
    if (of.kind !== 'TOKEN') throw new Error('no token');
    const judgement = { type: 'TOTP', state: { step, drift: 0 }, claim: step } as const;
    const kept = keptLastCode({ kind: 'token', of, code: codeAt(step), judgement }, user, { keys, clock });
    const values = new Map([...kept].flatMap(([key, value]) => (value ? [[key, value.value]] : [])));
    const find = (text: string) => findCode(text, of, user, { known: knownOf(values), keys, clock })?.kind;
    expect([find(codeAt(step)), find(codeAt(step - 1))]).toEqual(['again', undefined]);
  });

  it('of an OCRA token as the answer to its question alone', () => {
    const tokens = { tokens: [ocraToken] };
    expect(kindOf(answerTo('123456'), tokens, '123456')).toBe('ocra');
    expect(kindOf(answerTo('123456'), tokens, '654321')).toBeUndefined();
    expect(kindOf(answerTo('123456'), tokens)).toBeUndefined();
    expect(kindOf(answerTo(''), tokens)).toBeUndefined();
  });
});

it.each<[string, string, HolderOptions, boolean]>([
  ['of a TOTP token', codeAt(step), passed, true],
  ['that no TOTP token has', '000000', passed, false],
  ['of a HOTP token', codeAt(4), hotp, true],
  ['of a HOTP token, too long ago', codeAt(0), { ...hotp, settings: { HOTPLookAheadWindow: '3' } }, false],
  ['of a list', usedCode, listed, true],
  ['that no list has', '000000', listed, false],
  ['after a PIN', `4711${codeAt(step)}`, { ...passed, ...prefixed }, true],
  ['after a wrong PIN', `4712${codeAt(step)}`, { ...passed, ...prefixed }, false],
  ['of an OCRA token', codeAt(0), { tokens: [ocraToken] }, false],
  ['of a Yubikey that a verification server judges', cloudOtp, cloud, false],
  ['of digits, where only a verification server judges', codeAt(step), cloud, false],
  ['of an emergency password', 'help me', emergency, false],
])('a code was used before: one %s', (_, text, options, was) => {
  expect(wasUsed(text, firstOf(options).of, { clock })).toBe(was);
});

it.each<[string, string, HolderOptions, number | undefined]>([
  ['a clock that is behind', codeAt(step - 10), totp, -300],
  ['a clock that is ahead', codeAt(step + 10), totp, 300],
  ['a clock that is far off', codeAt(step + 61), totp, undefined],
  ['a PIN', `4711${codeAt(step - 10)}`, { ...totp, ...prefixed }, -300],
  ['a wrong PIN', `4712${codeAt(step - 10)}`, { ...totp, ...prefixed }, undefined],
  ['a token without a clock', codeAt(5), hotp, undefined],
  ['a list', freeCode, listed, undefined],
])('the seconds that a token is off: of %s', (_, text, options, off) => {
  expect(otherMoment(text, firstOf(options).of, { clock })).toBe(off);
});
