import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unixCrypt } from './index.ts';

type Vector = readonly [password: string, hash: string];

/** From the specification of SHA-crypt, and from glibc's crypt(3). */
const digestVectors: readonly Vector[] = [
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

/** From libxcrypt's crypt(3), by way of perl. */
const desVectors: readonly Vector[] = [
  ['', 'abmF1QH4PEr.E'],
  ['Hello world!', 'abMbH7WsHr7wQ'],
  ['päß', 'abmaj5nx51TN6'],
  ['12345678', 'ab1iBa.N.U2C6'],
  ['123456789', 'ab1iBa.N.U2C6'],
  ['a'.repeat(70), 'abBUNZY4cR2mg'],
  ['é'.repeat(100), 'abAJuEv0m3dg6'],
  ['', './Una9Fi.seRo'],
  ['Hello world!', './C8Yx8rc0s.g'],
  ['päß', './OhVzARArXR2'],
  ['12345678', './qw5JW./79Vg'],
  ['123456789', './qw5JW./79Vg'],
  ['a'.repeat(70), './p6IkxJuGIe6'],
  ['é'.repeat(100), './pgI2gi6xI8Q'],
  ['', 'zz6dpSdr.LHZw'],
  ['Hello world!', 'zzzoOVVEcaZdk'],
  ['päß', 'zzoV67qQU7oIQ'],
  ['12345678', 'zzRtj6pNdfpLE'],
  ['123456789', 'zzRtj6pNdfpLE'],
  ['a'.repeat(70), 'zzN1o1RyA94Ng'],
  ['é'.repeat(100), 'zzIjImYGV8HYU'],
];
const bsdiVectors: readonly Vector[] = [
  ['', '_J9..rasmTB5D3hoAd8A'],
  ['Hello world!', '_J9..rasmrSnncbbwkX2'],
  ['päß', '_J9..rasm1KsDiZLCFAA'],
  ['12345678', '_J9..rasmra8K.lE0aPk'],
  ['123456789', '_J9..rasmZdzY4EtEz26'],
  ['a'.repeat(70), '_J9..rasmWDYUiz7Pon6'],
  ['é'.repeat(100), '_J9..rasmoZSURkWj4mQ'],
  ['', '_V9..Z/.9/4PulPyUu.A'],
  ['Hello world!', '_V9..Z/.9YFmGuWePStc'],
  ['päß', '_V9..Z/.9GZy2ohaCiaU'],
  ['12345678', '_V9..Z/.9R6BFMuU1oaA'],
  ['123456789', '_V9..Z/.9Bu1I6/rfXOA'],
  ['a'.repeat(70), '_V9..Z/.9uK3Oz9F3boE'],
  ['é'.repeat(100), '_V9..Z/.9ro3Z7O67nDI'],
  ['Hello world!', '_....abcdp8WwWTf1aFI'],
  ['Hello world!', '_/...zzzzRwwx3gldJLk'],
];
const scryptVectors: readonly Vector[] = [
  ['', '$7$6/..../....SodiumChloride$QxN2Np.CRte/DLon.bCIdFQAO6VP2LVl3k36W7iAvE/'],
  ['Hello world!', '$7$6/..../....SodiumChloride$qgYZafGAzsYRm/feFfVY1Lmz3oZRpeFG50d0q/YDJk7'],
  ['päß', '$7$6/..../....SodiumChloride$OVVKaWmQtrD/TG3thlkeM6kAoq6zTNVzQXW8MNM2Ga5'],
  ['12345678', '$7$6/..../....SodiumChloride$1KaY9G9r42hLe9RNmyHkFOSw.YEjf4B/PKOSOENS5F0'],
  ['123456789', '$7$6/..../....SodiumChloride$82PMm0Rrq3fsSNzscg1t44zJOBdEpS1pEar3bbEz5iC'],
  ['a'.repeat(70), '$7$6/..../....SodiumChloride$2GPCO1h4qrI9kSeXHzT2TWTYgcvtZKBaHo9aFEYctNC'],
  ['é'.repeat(100), '$7$6/..../....SodiumChloride$5P9Beeewx2qiRqYpVlYn056nQKEXs.YHZnVuJG1RYy3'],
  ['Hello world!', '$7$CU..../....BqO8Py9Mr5v6Jc0zTn2Kx.$v2vfZ4XIBJfNUWTMnOkuGXcx/JpQSSlRbRRo.1GiCe4'],
  ['Hello world!', '$7$86....0....$8gBm4X1LKVV3A2xAk2PphC17MFB3ruSD1nJ4awXpyI5'],
  ['Hello world!', '$7$2/..../....$l/qs5dOVWBe4eUHip1KWoF8PDnh474e2dLe3nJQG/XD'],
];
const vectors = [...digestVectors, ...desVectors, ...bsdiVectors, ...scryptVectors];

test.each(vectors)('%s → %s', async (password, hash) => {
  expect(await unixCrypt(password, hash)).toBe(hash);
});

test.each(vectors)('no other password than %s gives %s', async (password, hash) => {
  for (const wrong of [`X${password.slice(1)}`, `${password}\0`]) {
    expect(await unixCrypt(wrong, hash)).not.toBe(hash);
  }
});

test('traditional DES sees seven bits of eight bytes', async () => {
  expect(await unixCrypt('123456789', 'abP30KbRQ2kHc')).toBe(await unixCrypt('12345678', 'abP30KbRQ2kHc'));
  expect(await unixCrypt('é', 'abP30KbRQ2kHc')).toBe(await unixCrypt('C)', 'abP30KbRQ2kHc'));
});

test.each([
  'ab',
  'ab01FAX.bQRS',
  'ab01FAX.bQRSUU',
  'ab01FAX.bQRS!',
  '!b01FAX.bQRSU',
  '*',
  '_J9..rasm',
  '_J9..rasm6f5ycSbUcd',
  '_zzzzrasm6f5ycSbUcd6', // 16 million rounds
  '$6$rounds=999999999$salt$x',
  '$y$j9T$salt$hash',
  '$7$',
  '$7$DU..../....abcdefgh$T0sduvKxu8wrIjSE2QDlEIQ24zoUNt7XmCAyI.79rw6', // 128 MiB
  '$7$CU....3....abcdefgh$T0sduvKxu8wrIjSE2QDlEIQ24zoUNt7XmCAyI.79rw6', // five lanes
  '$7$C...../....abcdefgh$T0sduvKxu8wrIjSE2QDlEIQ24zoUNt7XmCAyI.79rw6',
  '$7$CU.........abcdefgh$T0sduvKxu8wrIjSE2QDlEIQ24zoUNt7XmCAyI.79rw6',
  '$7$.U..../....abcdefgh$T0sduvKxu8wrIjSE2QDlEIQ24zoUNt7XmCAyI.79rw6',
  '$7$E/..../....abcdefgh$T0sduvKxu8wrIjSE2QDlEIQ24zoUNt7XmCAyI.79rw6', // OpenSSL refuses N so high for that r
  '$7$/....w2....abcdefgh$T0sduvKxu8wrIjSE2QDlEIQ24zoUNt7XmCAyI.79rw6', // lanes of 512 MiB
  '$7$zzzzzzzzzzzabcdefgh$T0sduvKxu8wrIjSE2QDlEIQ24zoUNt7XmCAyI.79rw6',
  '$gy$j9T$abcdefgh$.b78FaZG0c0KT.dtN8lx7dKwhgXOGF5JK6NJaZvT6F8',
  '',
])('does not try %s', async (hash) => {
  expect(await unixCrypt('secret', hash)).toBeUndefined();
});

test('whatever is stored, nothing throws', async () => {
  const prefix = fc.constantFrom('', '_', '$1$', '$5$', '$6$', '$7$', '$y$', '$y$j9T$', '$');
  const stored = fc
    .tuple(prefix, fc.string({ unit: 'binary', maxLength: 30 }))
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(fc.string(), stored, async (password, hash) => {
      const computed = await unixCrypt(password, hash);
      expect(computed === undefined || computed.length >= 13).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test.each(['$6$rounds=50000$salt$', '_zrk.rasm6f5ycSbUcd6'])(
  'a long hash leaves the event loop free: %s',
  async (hash) => {
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 0);
    await unixCrypt('secret', hash);
    clearInterval(count);
    expect(turns).toBeGreaterThan(20);
  },
);
