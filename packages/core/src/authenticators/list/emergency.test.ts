/** The emergency password as concepts.md §5 stores it. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { emergencyChanges, emergencyOf, emergencyUse, isEmergency, readEmergency } from './emergency.ts';

const start = 1_700_000_000_000;
const terms = { start, end: start + 3_600_000, uses: 3 };
const bytesOf = (changes: ReturnType<typeof emergencyChanges>) => changes.get('Otp.EmergOTP') ?? undefined;
const dataOf = (bytes: Uint8Array | undefined) => ({ get: () => bytes });

it('is stored as the contract says', () => {
  const md5 = execFileSync('openssl', ['dgst', '-md5', '-r'], { input: '48151623' }).toString().slice(0, 32);
  const bytes = Buffer.from(bytesOf(emergencyChanges(emergencyOf('48151623', terms))) ?? []);
  expect(bytes.toString('hex')).toBe(`${md5}${'6553f100'}${'6553ff10'}${'0003'}`);
});

it('is in force from its start until before its end', () => {
  const data = dataOf(bytesOf(emergencyChanges(emergencyOf('48151623', terms))));
  expect([-1, 0, 3_599_999, 3_600_000].map((off) => readEmergency(data, start + off) !== undefined)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it('is itself, and spaces around do no harm', () => {
  const emergency = emergencyOf('48151623', terms);
  expect(
    ['48151623', ' 48151623\n', '48151624', '', '4815162'].map((otp) => isEmergency(emergency, otp)),
  ).toEqual([true, true, false, false, false]);
});

it('goes with its last use, never gets one back, and leaves another password alone', () => {
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

it('is none where other bytes stand', () => {
  for (const bytes of [undefined, new Uint8Array(), new Uint8Array(25), new Uint8Array(27).fill(255)])
    expect(readEmergency(dataOf(bytes), start)).toBeUndefined();
});
