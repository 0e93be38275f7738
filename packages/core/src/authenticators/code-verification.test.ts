/** Codes tried with the authenticators of a user: right, used before, or right for another moment. */
import { describe, expect, it } from 'vitest';
import { wrongCodesRecord } from '../limits/authenticator-cap.ts';
import type { CodeUser } from './authenticator.ts';
import {
  afterPrefix,
  findCode,
  isMoreOpenAfterPassword,
  isRightNow,
  isSomeRightNow,
  otherMoment,
  type Trying,
  tryCode,
  wasUsed,
} from './code-verification.ts';
import { keptLastCode } from './last-code.ts';
import { codesOf, emergencyChanges, emergencyOf, listChanges } from './lists.ts';
import {
  answerTo,
  clock,
  codeAt,
  dataOf,
  hotpToken,
  keys,
  knownOf,
  type OwnerOptions,
  ocraToken,
  secret,
  step,
  totpToken,
  userOf,
} from './testing/owner.ts';
import type { Token } from './token.ts';
import { withQuestion } from './user-authenticators.ts';

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

const firstOf = (options: OwnerOptions) => {
  const user = userOf(options);
  const [of] = user.authenticators;
  if (!of) throw new Error('nothing that a code could be of');
  return { user, of };
};

describe('a code is found', () => {
  const kindOf = (text: string, options: OwnerOptions, question?: string) => {
    const { user, of } = firstOf(options);
    const asked = of.kind === 'TOKEN' ? { ...of, question } : of;
    return findCode(text, asked, user, { known: knownOf(), keys, clock })?.kind;
  };

  it.each<[string, string, OwnerOptions, string | undefined]>([
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
    const verdict = { type: 'TOTP', state: { step, drift: 0 }, claim: step } as const;
    const kept = keptLastCode({ kind: 'token', of, code: codeAt(step), verdict }, user, {
      keys,
      clock,
    });
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

it.each<[string, string, OwnerOptions, boolean]>([
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

it.each<[string, string, OwnerOptions, number | undefined]>([
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

it.each([
  ['Pin47', 'Pin47123456', true, '123456'],
  ['Pin47', ' Pin47 123456', true, ' 123456'],
  ['Pin47', 'Pin48123456', false, '123456'],
  ['Pin47', 'Pin4', false, ''],
  [undefined, 'Pin47123456', true, 'Pin47123456'],
])('the PIN %s before %j', (prefix, text, isRight, code) => {
  expect(afterPrefix(prefix, text)).toEqual({ isRight, code });
});

describe('a code', () => {
  const moreWrong = (behind: number) => wrongCodesRecord({ wrong: 100, asSecondFactor: behind }).value;
  /** Tokens 1 and 2: the first one by time, the other one by counter. */
  const trying = ({ closed, tokens = [totpToken, { ...hotpToken, slot: 2 }] }: Closed = {}): Trying => {
    const account = userOf({ tokens });
    const last = account.authenticators.at(-1);
    const known =
      closed === undefined || !last ? knownOf() : knownOf(new Map([[last.wrongCodes, moreWrong(closed)]]));
    return { account, view: { keys, clock }, admission: { kind: 'separate', scope: 'unknown' }, known };
  };
  interface Closed {
    readonly closed?: number;
    readonly tokens?: readonly Token[];
  }
  const [byTime, byCounter, wrong] = [codeAt(step), codeAt(5), '000000'];

  it.each<[string, readonly string[], boolean, Closed?]>([
    ['no code', [], false],
    ['a wrong one', [wrong], false],
    ['a right one of the first token', [byTime], true],
    ['a right one of the last token', [byCounter], true],
    ['a right one among wrong ones', [wrong, byCounter, wrong], true],
    ['a right one of a token that is not tried alone', [byCounter], true, { closed: 99 }],
    ['a right one of a token that is disabled', [byCounter], false, { closed: 100 }],
    ['a right one of a user without tokens', [byTime], false, { tokens: [] }],
  ])('is right at this moment: %s', (_, codes, isRight, closed) => {
    expect(isSomeRightNow(codes, trying(closed))).toBe(isRight);
    expect(codes.some((code) => isRightNow(code, trying(closed)))).toBe(isRight);
  });

  it('is found right with the authenticator that it is of', () => {
    const terms = { start: clock.now(), end: clock.now() + 1000, uses: 0 };
    const data = dataOf(emergencyChanges(emergencyOf('help me', terms)));
    const kind = (code: string, account: CodeUser) =>
      tryCode(code, true, { ...trying(), account }).right?.kind;
    expect(kind(byCounter, trying().account)).toBe('token');
    expect(kind('help me', userOf({ data }))).toBe('emergency');
    const asked = withQuestion(userOf({ tokens: [ocraToken] }), '123456');
    expect(kind(answerTo('123456'), asked)).toBe('ocra');
  });

  it('is tried with more after a password when a token is not tried alone', () => {
    expect(isMoreOpenAfterPassword(trying())).toBe(false);
    expect(isMoreOpenAfterPassword(trying({ closed: 99 }))).toBe(true);
    expect(isMoreOpenAfterPassword(trying({ closed: 100 }))).toBe(false);
  });

  it.each<[string, string, string, Closed?]>([
    ['nothing', byTime, 'nothing that the code could be tried with', { tokens: [] }],
    [
      'an OCRA token without a question',
      wrong,
      'nothing that the code could be tried with',
      { tokens: [ocraToken] },
    ],
    ['a wrong one', wrong, 'wrong code'],
    ['one that was used', codeAt(4), 'the code was used before, or one after it (replay)'],
    [
      'an old one',
      codeAt(step - 10),
      'wrong code, right for another moment: it is 300 s old, or the clock of the token behind',
    ],
    [
      'an early one',
      codeAt(step + 10),
      'wrong code, right for another moment: it is 300 s early, as the clock of the token is ahead',
    ],
  ])('is refused, and the log says why: %s', (_, code, why, closed) => {
    expect(tryCode(code, true, trying(closed))).toMatchObject({ why });
  });
});
