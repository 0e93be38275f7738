/** Tokens as they are stored, and codes as they are judged. */
import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hotp } from '../foundation/oath/hotp.ts';
import {
  clockSkew,
  isReplay,
  isUsable,
  type JudgedToken,
  judgeCode,
  type Token,
  type TokenRules,
} from './token.ts';
import { readTokens, type TokenFields, tokenChanges, tokenRemoval } from './token-data.ts';

const secret = Buffer.from('12345678901234567890');
const now = 1_234_567_890_000;
const step = Math.floor(now / 30_000);
const rules: TokenRules = { digits: 6, period: 30, lookAhead: 25, timeWindow: 120 };
const hotpToken: Token & JudgedToken = {
  slot: 1,
  type: 'HOTP',
  secret,
  state: { counter: 3 },
  enabled: true,
};
const totpToken: Token & JudgedToken = {
  slot: 1,
  type: 'TOTP',
  secret,
  state: { step: 0, drift: 0 },
  enabled: true,
};
const code = (counter: number) => hotp({ secret: createSecretKey(secret), digits: 6 }, counter);
const judge = (token: JudgedToken, counter: number, accepted?: number) =>
  judgeCode(token, code(counter), { rules, now, accepted });

describe('data', () => {
  const text = (value: Uint8Array | null | undefined) => value && Buffer.from(value).toString();
  const stored = (slot: number, fields: TokenFields) =>
    new Map(
      [...tokenChanges(slot, fields)].flatMap(([key, value]) => (value ? [[key, value] as const] : [])),
    );

  it('stores the keys of the interface, with the number of slots 2 to 10', () => {
    const hotpFields = { type: 'HOTP', secret, state: { counter: 17 } } as const;
    const changes = tokenChanges(1, { ...hotpFields, serial: '4711', id: 'push', model: 'Phone' });
    expect([...changes].map(([key, value]) => [key, text(value)])).toEqual([
      ['Otp.TokenType', 'HOTP'],
      ['Otp.TokenKey', secret.toString()],
      ['Otp.TokenState', '17'],
      ['Otp.TokenID', 'push'],
      ['Otp.TokenSerial', '4711'],
      ['Otp.TokenModel', 'Phone'],
    ]);
    expect(
      [...tokenChanges(10, { state: { step: 41_152_263, drift: -2 } })].map(([k, v]) => [k, text(v)]),
    ).toEqual([['Otp.Token10State', '41152263:-2']]);
  });

  it('reads what it has written', () => {
    const shared = { secret, expires: now, enabled: false };
    const data = new Map([
      ...stored(1, { type: 'HOTP', state: { counter: 5 }, ...shared }),
      ...stored(7, { type: 'TOTP', state: { step: 3, drift: -1 }, secret }),
    ]);
    expect(readTokens(data)).toEqual([
      { slot: 1, type: 'HOTP', state: { counter: 5 }, ...shared },
      { slot: 7, type: 'TOTP', state: { step: 3, drift: -1 }, secret, enabled: true },
    ]);
  });

  it('reads forms of other systems: a bare step, no state, a type in lower case', () => {
    const data = (type: string, state: string) =>
      new Map(
        Object.entries({ Type: type, Key: secret, State: state }).map(([part, value]) => [
          `Otp.Token${part}`,
          Buffer.from(value),
        ]),
      );
    expect(readTokens(data('totp', '41152263'))).toMatchObject([{ state: { step: 41_152_263, drift: 0 } }]);
    expect(readTokens(data('TOTP', ''))).toMatchObject([{ state: { step: 0, drift: 0 } }]);
    expect(readTokens(data('HOTP', ''))).toMatchObject([{ state: { counter: 0 } }]);
    expect(readTokens(data('OCRA', '1'))).toMatchObject([{ state: { counter: 1, drift: 0 } }]);
    expect(readTokens(data('SMARTCARD', '1'))).toEqual([]);
    expect(readTokens(new Map([['Otp.TokenType', Buffer.from('TOTP')]]))).toEqual([]);
  });

  it('takes a malformed expiry for an expired token', () => {
    for (const value of ['tomorrow', '2009-02-13', '2009-13-45 99:99:99']) {
      const data = new Map([
        ...stored(1, { type: 'HOTP', secret }),
        ['Otp.TokenExpires', Buffer.from(value)],
      ]);
      expect(readTokens(data).map((token) => isUsable(token, 0))).toEqual([false]);
    }
  });

  it('removes all keys of a token', () => {
    const everything: Required<TokenFields> = {
      ...{ type: 'TOTP', secret, state: { step: 1, drift: 0 }, enabled: false, expires: now },
      ...{
        session: 's',
        id: 'i',
        serial: 's',
        model: 'm',
        name: 'n',
        shape: { digits: 8, period: 60 },
        suite: 's',
        pin: 'p',
      },
    };
    const removal = tokenRemoval(4);
    expect([...removal.keys()]).toEqual([...tokenChanges(4, everything).keys()]);
    expect([...removal.values()].every((value) => value === null)).toBe(true);
  });
});

describe('a HOTP code', () => {
  it('moves the counter to the next one', () => {
    expect(judge(hotpToken, 3)).toEqual({ claim: 3, type: 'HOTP', state: { counter: 4 } });
    expect(judge(hotpToken, 28)).toEqual({ claim: 28, type: 'HOTP', state: { counter: 29 } });
    expect(judge(hotpToken, 29)).toBeUndefined();
    expect(judge(hotpToken, 2)).toBeUndefined();
  });

  it('refuses a used code when the entry has an older counter', () => {
    expect(judge(hotpToken, 5, 5)).toBeUndefined();
    expect(judge(hotpToken, 6, 5)).toEqual({ claim: 6, type: 'HOTP', state: { counter: 7 } });
  });
});

describe('a TOTP code', () => {
  it('brings its step, and the drift once it is known', () => {
    expect(judge(totpToken, step)).toEqual({ claim: step, type: 'TOTP', state: { step, drift: 0 } });
    expect(judge(totpToken, step + 4)).toEqual({
      claim: step + 4,
      type: 'TOTP',
      state: { step: step + 4, drift: 4 },
    });
    const ahead: Token = { ...totpToken, state: { step: 0, drift: 4 } };
    expect(judge(ahead, step + 7)).toEqual({
      claim: step + 7,
      type: 'TOTP',
      state: { step: step + 7, drift: 7 },
    });
    expect(judge(totpToken, step + 7)).toBeUndefined();
  });

  it('refuses codes at or below the step on the entry or in the store', () => {
    expect(judge(totpToken, step, step)).toBeUndefined();
    expect(judge(totpToken, step - 1, step)).toBeUndefined();
    expect(judge(totpToken, step + 1, step)).toBeDefined();
    expect(judge({ ...totpToken, state: { step, drift: 0 } }, step)).toBeUndefined();
  });
});

it('raises the claimed number only', () => {
  const offs = fc.array(fc.integer({ min: -3, max: 30 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.constantFrom(hotpToken, totpToken), offs, (token, attempts) => {
      const base = token.type === 'HOTP' ? 3 : step;
      const claims: number[] = [];
      for (const off of attempts) {
        const judged = judgeCode(token, code(base + off), { rules, now, accepted: claims.at(-1) });
        if (judged) claims.push(judged.claim);
      }
      expect(claims).toEqual([...new Set(claims)].sort((a, b) => a - b));
    }),
  );
});

it('only a token that is enabled and not expired logs in', () => {
  expect(isUsable(hotpToken, now)).toBe(true);
  expect(isUsable({ ...hotpToken, enabled: false }, now)).toBe(false);
  expect(isUsable({ ...hotpToken, expires: now + 1 }, now)).toBe(true);
  expect(isUsable({ ...hotpToken, expires: now }, now)).toBe(false);
});

it('finds the drift of a clock by the algorithm of the token', () => {
  const shape = { digits: 6, period: 30, algorithm: 'SHA512' } as const;
  const late = hotp({ secret, ...shape }, step - 7);
  expect(clockSkew({ ...totpToken, shape }, late, { rules, now })).toBe(-210);
  expect(clockSkew(totpToken, late, { rules, now })).toBeUndefined();
  expect(clockSkew({ ...hotpToken, shape }, late, { rules, now })).toBeUndefined();
});

describe('a Yubikey', () => {
  // The example of libyubikey.
  const yubikey = (counter: number): JudgedToken => ({
    type: 'YUBIKEY',
    secret: Buffer.from('ecde18dbe76fbd0c33330f1c354871db8792ebfe26cc', 'hex'),
    id: 'dteffuje',
    state: { counter },
  });
  const output = 'dteffujehknhfjbrjnlnldnhcujvddbikngjrtgh';
  const used = 19 * 256 + 17;

  it('refuses outputs that the store knows as used when the entry was restored', () => {
    const judged = (accepted: number) => judgeCode(yubikey(0), output, { rules, now, accepted });
    expect([judged(used - 1)?.claim, judged(used)]).toEqual([used, undefined]);
  });

  it('refuses outputs that the entry knows as used when the store is empty', () => {
    const judged = (counter: number) =>
      judgeCode(yubikey(counter), output, { rules, now, accepted: undefined });
    expect([judged(used)?.claim, judged(used + 1)]).toEqual([used, undefined]);
  });

  it('refuses former outputs, however old', () => {
    const passed = (text: string) => isReplay(yubikey(used + 1000), text, { rules, now });
    expect([passed(output), passed(output.replace(/h$/, 'g'))]).toEqual([true, false]);
  });
});

it.each([
  ['a HOTP token that has passed a window', { ...hotpToken, state: { counter: 30 } }, [4, 29], [3, 30]],
  ['a HOTP token of few uses', hotpToken, [0, 2], [26]],
  ['a TOTP token', { ...totpToken, state: { step: step + 4, drift: 0 } }, [step - 4, step + 4], [step - 5]],
])('distinguishes codes that %s has passed from codes that were never its own', (_, token, passed, never) => {
  const isOne = (counter: number) => isReplay(token, code(counter), { rules, now });
  expect(passed.map(isOne)).toEqual(passed.map(() => true));
  expect(never.map(isOne)).toEqual(never.map(() => false));
});
