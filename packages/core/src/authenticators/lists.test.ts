/** Printed lists, whose codes are good once in any order, and emergency passwords as the entry stores them. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../node/src/machine/index.ts';
import {
  codesOf,
  emergencyChanges,
  emergencyOf,
  emergencyUse,
  isEmergency,
  judgeListCode,
  listChanges,
  listUse,
  makeList,
  readEmergency,
  readList,
} from './lists.ts';

describe('a printed list', () => {
  const shape = { digits: 6, size: 100, secretLength: 20 };

  it('uses the HOTP codes of the first counters of its secret', () => {
    const list = makeList({ ...shape, size: 20 }, systemRandom);
    const input = Buffer.from(list.secret).toString('hex');
    const theirs = execFileSync('oathtool', ['--hotp', '--window=19', '-'], { input, encoding: 'utf8' });
    expect(codesOf(list)).toEqual(theirs.trim().split('\n'));
  });

  it('contains no code twice, although chance would give one', () => {
    // With this many secrets, one in two hundred would bring a code twice.
    for (let round = 0; round < 300; round += 1)
      expect(new Set(codesOf(makeList(shape, systemRandom))).size).toBe(100);
  });

  it('survives storing and reading, and accepts each code once in any order', () => {
    const orders = fc.shuffledSubarray(Array.from({ length: 13 }, (_, position) => position));
    fc.assert(
      fc.property(orders, (order) => {
        const first = makeList({ digits: 8, size: 13, secretLength: 32 }, systemRandom);
        const codes = codesOf(first);
        const data = new Map(listChanges(first));
        const stored = { get: (key: string) => data.get(key) ?? undefined };
        const read = () => readList(stored);
        for (const position of order) {
          const list = read();
          expect(list && judgeListCode(list, codes[position] ?? '')).toBe(position);
          for (const [key, value] of list ? listUse(stored, list, position) : []) data.set(key, value);
          expect(judgeListCode(read() ?? first, codes[position] ?? '')).toBeUndefined();
        }
        expect(read()).toEqual({ ...first, used: new Set(order) });
      }),
      { numRuns: 20 },
    );
  });

  it('rejects malformed bytes, and counts truncated positions as used', () => {
    const read = (state: number[]) =>
      readList({ get: (key) => (key === 'Otp.ListKey' ? Buffer.alloc(20) : Uint8Array.from(state)) });
    expect(read([])).toBeUndefined();
    expect(read([5, 20, 0, 0, 0])).toBeUndefined();
    expect(read([6, 20, 0])?.used.size).toBe(12);
    expect(readList({ get: () => undefined })).toBeUndefined();
  });
});

describe('an emergency password', () => {
  const start = 1_700_000_000_000;
  const terms = { start, end: start + 3_600_000, uses: 3 };
  const bytesOf = (changes: ReturnType<typeof emergencyChanges>) => changes.get('Otp.EmergOTP') ?? undefined;
  const dataOf = (bytes: Uint8Array | undefined) => ({ get: () => bytes });

  it('stores the form of the interface', () => {
    const md5 = execFileSync('openssl', ['dgst', '-md5', '-r'], { input: '48151623' })
      .toString()
      .slice(0, 32);
    const bytes = Buffer.from(bytesOf(emergencyChanges(emergencyOf('48151623', terms))) ?? []);
    expect(bytes.toString('hex')).toBe(`${md5}${'6553f100'}${'6553ff10'}${'0003'}`);
  });

  it('applies from its start until before its end', () => {
    const data = dataOf(bytesOf(emergencyChanges(emergencyOf('48151623', terms))));
    expect(
      [-1, 0, 3_599_999, 3_600_000].map((off) => readEmergency(data, start + off) !== undefined),
    ).toEqual([false, true, true, false]);
  });

  it('accepts spaces around it', () => {
    const emergency = emergencyOf('48151623', terms);
    expect(
      ['48151623', ' 48151623\n', '48151624', '', '4815162'].map((otp) => isEmergency(emergency, otp)),
    ).toEqual([true, true, false, false, false]);
  });

  it('disappears with its last use, regains no use, and leaves another password alone', () => {
    const emergency = emergencyOf('48151623', terms);
    const stored = dataOf(bytesOf(emergencyChanges(emergency)));
    const use = (claimed?: number) => emergencyUse(stored, emergency, claimed);
    const left = (claimed?: number) =>
      readEmergency(dataOf(bytesOf(use(claimed)?.changes ?? new Map())), start)?.uses;
    const first = use()?.number ?? 0;
    expect([left(), left(first - 1), left(first)]).toEqual([2, 2, 1]);
    expect(use(first + 1)).toEqual({ number: first + 2, changes: new Map([['Otp.EmergOTP', null]]) });
    expect(use(first + 2)).toBeUndefined();
    expect(emergencyUse(stored, emergencyOf('11111111', terms))).toBeUndefined();
  });

  it('rejects malformed bytes', () => {
    for (const bytes of [undefined, new Uint8Array(), new Uint8Array(25), new Uint8Array(27).fill(255)])
      expect(readEmergency(dataOf(bytes), start)).toBeUndefined();
  });
});
