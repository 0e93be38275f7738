import { expect, test } from 'vitest';
import { unixCrypt } from './unix-crypt.ts';

/** From the specification of SHA-crypt, and from glibc's crypt(3). */
const vectors: readonly (readonly [password: string, hash: string])[] = [
  ['Hello world!', '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'],
  ['Hello world!', '$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA'],
  [
    'Hello world!',
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  ],
  [
    'päß',
    '$6$rounds=1400$anotherlongsalts$IgnwmsEck8Lomd/KVaPxSHuhVWx3yZcDMamn7muIQu1qLpszJBurjyQeJ/GshYrYi7RKvwkeaSNMO6uqUIA3U0',
  ],
  ['', '$6$x$QSmr1Bx2g4O6BzKvdkgOcyU6H91X6I/XBv5pSalMhSPkwdH6Beo3F455xZJg0v//bxVK5F4OE5k1.0xuR26MK0'],
  ['a'.repeat(70), '$5$saltstring$YbOpHS5oOxi.H5n.hqPAp3huEcjb3Z1IDPoKxWGH8F4'],
  ['Hello world!', '$1$abcdefgh$fzmjzFdo5nMtBG8gtud5e0'],
  ['päß', '$1$abcdefgh$eEybi80ePIQSoZVD5XGMc0'],
  ['', '$1$abcdefgh$M55TzYaaccxVGbptZWaxX/'],
  ['a'.repeat(70), '$1$abcdefgh$RAACyPJgyZkwwCU2vKY6X0'],
];

test.each(vectors)('%s → %s', async (password, hash) => {
  expect(await unixCrypt(password, hash)).toBe(hash);
});

test('a wrong password gives another hash', async () => {
  const [, hash] = vectors[2] ?? ['', ''];
  expect(await unixCrypt('hello world!', hash)).not.toBe(hash);
});

test.each(['ab01FAX.bQRSU', '$y$j9T$salt$hash', '$6$rounds=999999999$salt$x', ''])(
  'does not try %s',
  async (hash) => {
    expect(await unixCrypt('secret', hash)).toBeUndefined();
  },
);

test('a long hash leaves the event loop free', async () => {
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  await unixCrypt('secret', '$6$rounds=50000$salt$');
  clearInterval(count);
  expect(turns).toBeGreaterThan(20);
});
