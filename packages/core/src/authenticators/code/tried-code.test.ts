import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inWave } from '../../foundation/runtime/wave.ts';
import { wrongCodesRecord } from '../../limits/authenticator-cap.ts';
import { emergencyChanges, emergencyOf } from '../list/emergency.ts';
import {
  answerTo,
  clock,
  codeAt,
  dataOf,
  hotpToken,
  keys,
  knownOf,
  ocraToken,
  step,
  totpToken,
  userOf,
} from '../testing/holder.ts';
import type { Token } from '../token/token.ts';
import type { CodeUser } from './authenticator.ts';
import { withQuestion } from './codes.ts';
import {
  CodeBehind,
  isMoreOpenBehind,
  isRightNow,
  isSomeRightNow,
  type Trying,
  tryCode,
} from './tried-code.ts';

/** Somebody without any codes, which is seen when one is tried. */
function someone(see: () => void) {
  const account = {
    get authenticators() {
      see();
      return [];
    },
  };
  const view = { keys: undefined, clock: undefined };
  return { account, view, admission: { kind: 'alone', ground: 'known' }, known: undefined } as never;
}

it('is tried once the question about the password is on its way, and once', async () => {
  const seen: string[] = [];
  inWave(() => seen.push('asked'));
  const behind = new CodeBehind(
    '123456',
    someone(() => seen.push('tried')),
  );
  expect(seen).toEqual([]);
  await nextTurn();
  expect(seen).toEqual(['asked', 'tried']);
  expect(behind.tried).toMatchObject({ wrong: [] });
  expect(behind.tried).toBe(behind.tried);
  expect(seen).toEqual(['asked', 'tried']);
});

it('is tried at once where the password is known to be right before that', async () => {
  let times = 0;
  const behind = new CodeBehind(
    '123456',
    someone(() => {
      times += 1;
    }),
  );
  expect(behind.tried).toMatchObject({ wrong: [] });
  await nextTurn();
  expect(times).toBe(1);
});

it('throws for who asks what came of it, and for nobody else', async () => {
  const behind = new CodeBehind(
    '123456',
    someone(() => {
      throw new Error('cannot be read');
    }),
  );
  await nextTurn();
  expect(() => behind.tried).toThrow('cannot be read');
});

describe('a code', () => {
  const moreWrong = (behind: number) => wrongCodesRecord({ wrong: 100, behind }).value;
  /** Tokens 1 and 2: the first one by time, the other one by counter. */
  const trying = ({ closed, tokens = [totpToken, { ...hotpToken, slot: 2 }] }: Closed = {}): Trying => {
    const account = userOf({ tokens });
    const last = account.authenticators.at(-1);
    const known =
      closed === undefined || !last ? knownOf() : knownOf(new Map([[last.wrongCodes, moreWrong(closed)]]));
    return { account, view: { keys, clock }, admission: { kind: 'alone', ground: 'strangers' }, known };
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

  it('is tried with more after a password where a token is not tried alone', () => {
    expect(isMoreOpenBehind(trying())).toBe(false);
    expect(isMoreOpenBehind(trying({ closed: 99 }))).toBe(true);
    expect(isMoreOpenBehind(trying({ closed: 100 }))).toBe(false);
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
