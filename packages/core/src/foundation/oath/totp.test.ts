/** TOTP against RFC 6238 appendix B and oathtool. */
import { execFileSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hotp } from './hotp.ts';
import { driftAfter, matchTotp, totp } from './totp.ts';
import { timeStep } from './window.ts';

const secretOf = (length: number) => createSecretKey(Buffer.from('1234567890'.repeat(7).slice(0, length)));
const source = (length = 20) => ({ secret: secretOf(length), digits: 8, period: 30 });

/** RFC 6238 appendix B: seconds, then the codes with SHA-1, SHA-256 and SHA-512. */
const vectors = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
] as const;

describe('codes', () => {
  it.each(vectors)('equal those of RFC 6238 at %i s', (seconds, ...codes) => {
    expect([20, 32, 64].map((length) => totp(source(length), seconds * 1000))).toEqual(codes);
  });

  it.each([
    ['sha1', 20, 6, 30],
    ['sha256', 32, 8, 17],
    ['sha512', 64, 7, 3600],
    ['sha256', 32, 6, 1],
  ] as const)('are those of oathtool: %s, %i bytes, %i digits, %i s', (algorithm, length, digits, period) => {
    const moments = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(fc.uint8Array({ minLength: length, maxLength: length }), moments, (key, seconds) => {
        const now = `--now=${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
        const shape = [`--totp=${algorithm}`, `--digits=${digits}`, `--time-step-size=${period}s`];
        const input = Buffer.from(key).toString('hex');
        const theirs = execFileSync('oathtool', [...shape, now, '-'], { input, encoding: 'utf8' });
        expect(totp({ secret: createSecretKey(key), digits, period }, seconds * 1000)).toBe(theirs.trim());
      }),
      { numRuns: 10 },
    );
  });
});

describe('an explicit algorithm', () => {
  it.each([
    ['SHA1', 32],
    ['SHA1', 64],
    ['SHA256', 20],
    ['SHA256', 64],
    ['SHA512', 20],
    ['SHA512', 32],
  ] as const)('makes the codes of oathtool, whatever the key: %s, %i bytes', (algorithm, length) => {
    const key = Buffer.from('1234567890'.repeat(7).slice(0, length));
    const args = [`--totp=${algorithm.toLowerCase()}`, '--digits=8', '--now=@1234567890', '-'];
    const theirs = execFileSync('oathtool', args, { input: key.toString('hex'), encoding: 'utf8' }).trim();
    const said = { secret: key, digits: 8, period: 30, algorithm };
    const window = { now: 1_234_567_890_000, after: -1, drift: 0, window: 60 };
    expect(totp(said, window.now)).toBe(theirs);
    expect([matchTotp(theirs, said, window), matchTotp(theirs, source(length), window)]).toEqual([
      timeStep(window.now, 30),
      undefined,
    ]);
  });
});

describe('the window', () => {
  const now = 1_234_567_890_000;
  const step = timeStep(now, 30);
  const usual = { now, after: -1, drift: 0, window: 120 };
  const at = (off: number) => hotp(source(), step + off);

  it('reaches back as far as ahead', () => {
    const found = [-5, -4, -1, 0, 1, 4, 5].map((off) => matchTotp(at(off), source(), usual));
    expect(found).toEqual([undefined, step - 4, step - 1, step, step + 1, step + 4, undefined]);
  });

  it('lies around the drift', () => {
    const found = [13, 14, 18, 22, 23].map((off) => matchTotp(at(off), source(), { ...usual, drift: 18 }));
    expect(found).toEqual([undefined, step + 14, step + 18, step + 22, undefined]);
  });

  it.each([-18, 18])('lies around the true time, too, when the clock was %d steps off', (drift) => {
    const found = [-5, -4, 0, 4, 5].map((off) => matchTotp(at(off), source(), { ...usual, drift }));
    expect(found).toEqual([undefined, step - 4, step, step + 4, undefined]);
  });

  it('has 2,001 codes at most, also around two times', () => {
    const quick = { ...source(), period: 1 };
    const wide = { ...usual, window: 1000, drift: 5000 };
    const present = timeStep(now, 1);
    expect(matchTotp(hotp(quick, present + 6000), quick, wide)).toBe(present + 6000);
    expect(matchTotp(hotp(quick, present), quick, wide)).toBeUndefined();
  });

  it('has the present step only when it is shorter than a step', () => {
    const narrow = { ...usual, window: 29 };
    expect([-1, 0, 1].map((off) => matchTotp(at(off), source(), narrow))).toEqual([
      undefined,
      step,
      undefined,
    ]);
  });

  it('has only steps above the accepted one', () => {
    const offset = fc.integer({ min: -10, max: 10 });
    fc.assert(
      fc.property(offset, offset, offset, fc.nat(200), (off, after, drift, window) => {
        const found = matchTotp(at(off), source(), { now, after: step + after, drift, window });
        const steps = Math.floor(window / 30);
        const isIn = off > after && [drift, 0].some((centre) => Math.abs(off - centre) <= steps);
        expect(found).toBe(isIn ? step + off : undefined);
      }),
    );
  });

  it('prefers the step nearest to the time of the token', () => {
    const short = { ...source(), digits: 1 };
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 1e6 }), fc.integer({ min: -9, max: 9 }), (present, drift) => {
        const code = hotp(short, present);
        const steps = Array.from({ length: 81 }, (_, index) => present - 40 + index);
        const same = steps.filter((one) => hotp(short, one) === code);
        const off = (one: number) => Math.abs(one - present - drift);
        const window = { now: present * 30_000, after: -1, drift, window: 900 };
        const found = matchTotp(code, short, window) ?? Number.NaN;
        expect(off(found)).toBe(Math.min(...same.map(off)));
      }),
    );
  });

  it('has no step before 1970', () => {
    expect(matchTotp(hotp(source(), 0), source(), { ...usual, now: 0 })).toBe(0);
  });
});

describe('the drift', () => {
  const now = 1_234_567_890_000;
  const step = timeStep(now, 30);
  const driftOf = (off: number, drift: number, window = 120) =>
    driftAfter(step + off, source(), { now, after: -1, drift, window });

  it('follows a clock that is off, but not a code that was typed late', () => {
    expect([-4, -2, -1, 0, 1, 2, 4].map((off) => driftOf(off, 0))).toEqual([-4, -2, 0, 0, 0, 2, 4]);
    expect([3, 4, 5, 6].map((off) => driftOf(off, 4))).toEqual([4, 4, 4, 6]);
  });

  it('follows at once when the window has no room to wait', () => {
    expect([-1, 0, 1].map((off) => driftOf(off, 0, 30))).toEqual([-1, 0, 1]);
  });
});
