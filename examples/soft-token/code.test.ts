/** The codes of the example beside those of oathtool, and what it takes for a token. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { keepAccount, readUri } from './account.ts';
import { codeAt, secondsLeft } from './code.ts';

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA';

function oathtool(algorithm: string, digits: number, period: number, moment: number): string {
  const shape = [`--totp=${algorithm}`, `--digits=${digits}`, `--time-step-size=${period}s`];
  const args = [...shape, `--now=@${Math.floor(moment / 1000)}`, '--base32', secret];
  return execFileSync('oathtool', args, { encoding: 'utf8' }).trim();
}

describe('codes', () => {
  it.each([
    ['SHA1', 6, 30],
    ['SHA256', 8, 60],
    ['SHA512', 6, 5],
  ] as const)('are those of oathtool: %s, %i digits, %i s', (algorithm, digits, period) => {
    for (const moment of [0, 59_999, 1_111_111_109_000, 1_234_567_890_000, 20_000_000_000_000])
      expect(codeAt({ secret, algorithm, digits, period }, moment)).toBe(
        oathtool(algorithm, digits, period, moment),
      );
  });

  it('are printed one by one on a terminal, with the seconds that are left', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'watchword-soft-token-'));
    const account = join(folder, 'account.json');
    await keepAccount(account, readUri(`otpauth://totp/a?secret=${secret}&period=3`));
    const program = new URL('../../scripts/example.mjs', import.meta.url).pathname;
    // script(1) gives the program a terminal, and three seconds show two codes.
    const line = `timeout --foreground -s INT 8 ${process.execPath} ${program} soft-token/soft-token.ts code --account ${account}`;
    const { stdout } = await promisify(execFile)('script', ['-qc', line, '/dev/null']);
    await rm(folder, { recursive: true });
    const shown = [...stdout.matchAll(/\r(\d{6}) {4}[1-3] s /g)];
    expect(new Set(shown.map(([, code]) => code)).size).toBeGreaterThanOrEqual(2);
  });

  it('are shown until their time is over', () => {
    const token = { secret, algorithm: 'SHA1', digits: 6, period: 30 } as const;
    expect([0, 999, 1000, 29_999, 30_000].map((moment) => secondsLeft(token, moment))).toEqual([
      30, 30, 29, 1, 30,
    ]);
  });
});

describe('a QR code', () => {
  it('of another service is a token too, with what all take where nothing is said', () => {
    expect(readUri(`otpauth://totp/Shop:alice%40example.org?secret=${secret}&issuer=Shop`)).toEqual({
      label: 'Shop:alice@example.org',
      ...{ secret, algorithm: 'SHA1', digits: 6, period: 30, endpoint: null, session: null, user: '' },
    });
  });

  it.each([
    ['an address', 'https://example.org/'],
    ['a counter', `otpauth://hotp/a?secret=${secret}&counter=0`],
    ['no secret', 'otpauth://totp/a?secret='],
    ['no base32', 'otpauth://totp/a?secret=0189'],
    ['another algorithm', `otpauth://totp/a?secret=${secret}&algorithm=MD5`],
    ['no digits', `otpauth://totp/a?secret=${secret}&digits=x`],
    ['no time', `otpauth://totp/a?secret=${secret}&period=0`],
  ])('that holds %s is refused', (_, uri) => {
    expect(() => readUri(uri)).toThrow('The QR code is not that of a TOTP token');
  });
});
