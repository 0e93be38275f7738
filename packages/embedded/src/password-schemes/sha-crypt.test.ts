import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shaCryptCheck } from './sha-crypt.ts';

const longText = 'a very much longer text to encrypt.  This one even stretches over morethan one line.';

/** Vectors of the specification with settings as crypt(3) writes them: akkadia.org/drepper/SHA-crypt.txt. */
const vectors: readonly (readonly [password: string, hash: string])[] = [
  ['Hello world!', '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'],
  ['Hello world!', '$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA'],
  ['This is just a test', '$5$rounds=5000$toolongsaltstrin$Un/5jzAHMgOGZ5.mWJpuVolil07guHPvOW8mGRcvxa5'],
  [longText, '$5$rounds=1400$anotherlongsalts$Rx.j8H.h8HjEDGomFU8bDkXm3XIUnzyxf12oP84Bnq1'],
  [
    'we have a short salt string but not a short password',
    '$5$rounds=77777$short$JiO1O3ZpDAxGJeaDIuqCoEFysAe1mZNJRs3pw0KQRd/',
  ],
  ['a short string', '$5$rounds=123456$asaltof16chars..$gP3VQ/6X7UUEW3HkBn2w1/Ptq2jxPyzV/cZKmF/wJvD'],
  [
    'the minimum number is still observed',
    '$5$rounds=1000$roundstoolow$yfvwcWrQ8l/K0DAWyuPMDNHpIVlTQebY9l/gL972bIC',
  ],
  [
    'Hello world!',
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  ],
  [
    'Hello world!',
    '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.',
  ],
  [
    'This is just a test',
    '$6$rounds=5000$toolongsaltstrin$lQ8jolhgVRVhY4b5pZKaysCLi0QBxGoNeKQzQ3glMhwllF7oGDZxUhx1yxdYcz/e1JSbq3y6JMxxl8audkUEm0',
  ],
];

test.each(vectors)('verifies %s by the hash %s', async (password, hash) => {
  expect(await shaCryptCheck(hash)?.(password)).toBe(true);
});

/** Errors are likely at lengths that are multiples of the digest's. */
test.each(['-5', '-6'])('agrees with openssl passwd %s at every length of password', async (kind) => {
  const passwords = [1, 15, 16, 31, 32, 33, 63, 64, 65, 96, 128, 200].map((length) => 'x'.repeat(length));
  const hashes = execFileSync('openssl', ['passwd', kind, '-salt', 'saltstring', '-stdin'], {
    input: passwords.join('\n'),
  });
  const lines = hashes.toString().trim().split('\n');
  expect(lines.length).toBe(passwords.length);
  for (const [index, line] of lines.entries())
    expect([passwords[index], await shaCryptCheck(line)?.(passwords[index] ?? '')]).toEqual([
      passwords[index],
      true,
    ]);
});

const digit = fc.constantFrom(...'./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
const salts = fc.string({ unit: digit, minLength: 1, maxLength: 16 });
const passwords = fc.string({ unit: 'binary', maxLength: 70 }).filter((text) => !text.includes('\0'));

test.each(['5', '6'])('agrees for $%s$ with crypt(3) for any password and salt', async (kind) => {
  await fc.assert(
    fc.asyncProperty(passwords, salts, async (password, salt) => {
      const setting = `$${kind}$rounds=1234$${salt}$`;
      // perl-base, a part of every Debian, calls crypt(3).
      const hash = execFileSync('perl', ['-e', 'print crypt($ARGV[0], $ARGV[1])', password, setting]);
      expect(await shaCryptCheck(hash.toString())?.(password)).toBe(true);
    }),
    { numRuns: 25 },
  );
});

const [, [, good = ''] = []] = vectors;

test.each([
  '',
  '$5$',
  '$5$saltstring$',
  '$1$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5',
  '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc',
  '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc55',
  '$5$saltstringsaltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5',
  good.replace('10000', '1000001'),
  good.replace('10000', '999999999'),
  good.replace('10000', '9999999999'),
  good.replace('10000', '999'),
  good.replace('10000', '0x10000'),
])('does not verify %s', (hash) => {
  expect(shaCryptCheck(hash)).toBeUndefined();
});

test('does not match another password, one with a NUL, or a hash of the other kind’s length', async () => {
  expect(await shaCryptCheck(`$6$saltstring$${'a'.repeat(43)}`)?.('Hello world!')).toBe(false);
  const [[password, hash] = ['', '']] = vectors;
  expect(await shaCryptCheck(hash)?.(`${password} `)).toBe(false);
  expect(await shaCryptCheck(hash)?.(`${password}\0`)).toBe(false);
});

test('yields to the event loop when there are many rounds', async () => {
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  await shaCryptCheck(good.replace('10000', '50000'))?.('secret');
  clearInterval(count);
  expect(turns).toBeGreaterThan(20);
});
