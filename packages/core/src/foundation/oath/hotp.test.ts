/** HOTP against RFC 4226 appendix D, oathtool and openssl. */
import { execFileSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstMatch, hotp, matchHotp, matchSequence } from './hotp.ts';
import { mostCandidates } from './window.ts';

const secretOf = (bytes: Uint8Array | string) => createSecretKey(Buffer.from(bytes));
const rfc = { secret: secretOf('12345678901234567890'), digits: 6 };
/** RFC 4226 appendix D, counters 0 to 9. */
const vectors = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');

describe('codes', () => {
  it.each(vectors.map((code, counter) => [counter, code] as const))('RFC 4226: %i → %s', (counter, code) => {
    expect(hotp(rfc, counter)).toBe(code);
  });

  it.each([6, 7, 8])('equal those of oathtool with %i digits', (digits) => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.maxSafeInteger().map((n) => Math.abs(n) - (Math.abs(n) % 1000)),
        (key, counter) => {
          const hex = Buffer.from(key).toString('hex');
          const window = ['--window=9', `--digits=${digits}`, `--counter=${counter}`];
          const theirs = execFileSync('oathtool', ['--hotp', ...window, '-'], {
            input: hex,
            encoding: 'utf8',
          });
          const source = { secret: secretOf(key), digits };
          const ours = Array.from({ length: 10 }, (_, step) => hotp(source, counter + step));
          expect(ours).toEqual(theirs.trim().split('\n'));
        },
      ),
      { numRuns: 10 },
    );
  });

  it.each([
    ['sha1', 20],
    ['sha256', 32],
    ['sha512', 64],
  ] as const)('of 10 digits are what openssl makes with %s', (algorithm, length) => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: length, maxLength: length }),
        fc.nat().map((counter) => counter * 4096),
        (key, counter) => {
          const code = hotp({ secret: secretOf(key), digits: 10 }, counter);
          expect(code).toMatch(/^[0-2][0-9]{9}$/);
          expect(BigInt(code)).toBe(truncatedByOpenssl(algorithm, key, counter));
        },
      ),
      { numRuns: 10 },
    );
  });
});

/** RFC 4226 §5.3 by hand over the HMAC of another program. */
function truncatedByOpenssl(algorithm: string, key: Uint8Array, counter: number): bigint {
  const message = Buffer.from(counter.toString(16).padStart(16, '0'), 'hex');
  const mac = ['-mac', 'HMAC', '-macopt', `hexkey:${Buffer.from(key).toString('hex')}`];
  const digest = execFileSync('openssl', ['dgst', `-${algorithm}`, ...mac, '-binary'], { input: message });
  const hex = digest.toString('hex');
  const offset = Number.parseInt(hex.slice(-1), 16) * 2;
  return BigInt(`0x${hex.slice(offset, offset + 8)}`) & 0x7fff_ffffn;
}

describe('the window', () => {
  it('begins at the counter and ends with it', () => {
    expect(matchHotp('969429', rfc, { from: 3, window: 0 })).toBe(3);
    expect(matchHotp('969429', rfc, { from: 0, window: 3 })).toBe(3);
    expect(matchHotp('969429', rfc, { from: 0, window: 2 })).toBeUndefined();
    expect(matchHotp('969429', rfc, { from: 4, window: 20 })).toBeUndefined();
  });

  it('contains every counter that is found', () => {
    const window = fc.record({ from: fc.nat(10_000), window: fc.nat(30) });
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 64 }),
        fc.nat(10_050),
        window,
        (key, at, range) => {
          const source = { secret: secretOf(key), digits: 8 };
          const found = matchHotp(hotp(source, at), source, range);
          const isInside = at >= range.from && at <= range.from + range.window;
          if (isInside) expect(found).toBe(at);
          else expect(found).toBeUndefined();
        },
      ),
    );
  });

  it('is bounded for any setting', () => {
    const last = mostCandidates - 1;
    const everything = { from: 0, window: 999_999_999 };
    const source = { ...rfc, digits: 10 };
    expect(matchHotp(hotp(source, last), source, everything)).toBe(last);
    expect(matchHotp(hotp(source, last + 1), source, everything)).toBeUndefined();
  });

  it('ends at the largest safe counter', () => {
    const end = Number.MAX_SAFE_INTEGER;
    expect(matchHotp(hotp(rfc, end - 1), rfc, { from: end - 1, window: 25 })).toBe(end - 1);
    expect(matchHotp('000000', rfc, { from: end, window: 25 })).toBeUndefined();
  });
});

describe('a code', () => {
  it.each(['755 224', ' 755224\n', '7 5 5 2 2 4'])('is read with spaces: %j', (code) => {
    expect(matchHotp(code, rfc, { from: 0, window: 0 })).toBe(0);
  });

  it.each(['', '75522', '7552240', '755224x', '٧٥٥٢٢٤', '+755224', '0x755224', `755224${' '.repeat(100)}`])(
    'is not %j',
    (code) => expect(matchHotp(code, rfc, { from: 0, window: 25 })).toBeUndefined(),
  );
});

describe('two codes in a row', () => {
  it('resynchronize the token', () => {
    expect(matchSequence(['338314', '254676'], rfc, { from: 0, window: 100 })).toBe(4);
    expect(matchSequence(['338314', '287922'], rfc, { from: 0, window: 100 })).toBeUndefined();
    expect(matchSequence(['254676', '338314'], rfc, { from: 0, window: 100 })).toBeUndefined();
    expect(matchSequence(['338314', '254676'], rfc, { from: 5, window: 100 })).toBeUndefined();
    expect(matchSequence(['338314', '254676'], rfc, { from: 0, window: 3 })).toBeUndefined();
    expect(matchSequence(['520489', hotp(rfc, 10)], rfc, { from: 0, window: 9 })).toBe(9);
  });

  it('are found after a counter that has the first code by chance', () => {
    const source = { ...rfc, digits: 1 };
    const codes = Array.from({ length: 60 }, (_, counter) => hotp(source, counter));
    for (const [at, code] of codes.slice(0, -1).entries()) {
      const found = matchSequence([code, codes[at + 1] ?? ''], source, { from: 0, window: 60 });
      const first = codes.findIndex((one, index) => one === code && codes[index + 1] === codes[at + 1]);
      expect(found).toBe(first);
    }
  });
});

describe('a code among several counters', () => {
  /** Counter of which no code can be made. */
  const none = -1;

  it('is compared until it is found', () => {
    expect(firstMatch('254676', rfc, [3, 5, none])).toBe(5);
    expect(firstMatch('254676', rfc, [5, none])).toBe(5);
  });

  it('is compared with all when it is wrong', () => {
    expect(firstMatch('254677', rfc, [5, 6, 7])).toBeUndefined();
    expect(() => firstMatch('254677', rfc, [5, none])).toThrow(RangeError);
  });
});
