import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encode } from './base64.ts';
import { unixCrypt } from './index.ts';
import { storedKey } from './yescrypt/key.ts';
import { parseSetting } from './yescrypt/setting.ts';

/** crypt(3) of the system, which slapd's Debian has in perl-base. */
function systemCrypt(password: string, setting: string): string {
  return execFileSync('perl', ['-e', 'print crypt($ARGV[0], $ARGV[1])', password, setting]).toString();
}

const passwords = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !text.includes('\0'));
const digit = fc.constantFrom(...'./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
const digits = (length: number) => fc.string({ unit: digit, minLength: length, maxLength: length });
/** Whole bytes only: four digits are three of them. */
const salts = fc.array(digits(4), { maxLength: 8 }).map((groups) => groups.join(''));

test.each([
  ['DES', digits(2)],
  ['BSDi', digits(5).map((random) => `_${random.slice(0, 1)}...${random.slice(1)}`)],
  ['MD5', digits(8).map((salt) => `$1$${salt}$`)],
  ['SHA-256', digits(12).map((salt) => `$5$rounds=1234$${salt}$`)],
  ['SHA-512', digits(12).map((salt) => `$6$rounds=1234$${salt}$`)],
  ['scrypt', salts.map((salt) => `$7$46..../....${salt}$`)],
])('%s is what the system makes of any password and salt', async (_, settings) => {
  await fc.assert(
    fc.asyncProperty(passwords, settings, async (password, setting) => {
      const hash = systemCrypt(password, setting);
      expect(await unixCrypt(password, hash)).toBe(hash);
    }),
    { numRuns: 25 },
  );
});

test('yescrypt is what the system makes of any password, salt and cost', () => {
  const parameters = fc
    .tuple(
      fc.constantFrom('3', '4', '5'),
      fc.constantFrom('.', '1', '5', 'T', 'k.'),
      fc.constantFrom('', '..', './', '/.', '/0', '00/'),
    )
    .map((parts) => `j${parts.join('')}`);
  fc.assert(
    fc.property(passwords, salts, parameters, (password, salt, costs) => {
      const hash = systemCrypt(password, `$y$${costs}$${salt}$`);
      const setting = parseSetting(hash);
      expect(setting && encode(storedKey({ password, ...setting }))).toBe(hash.slice(-43));
    }),
    { numRuns: 40 },
  );
});
