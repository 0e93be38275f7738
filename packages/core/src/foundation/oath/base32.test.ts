import { expect, it } from 'vitest';
import { fromBase32 } from './base32.ts';

it.each([
  ['', ''],
  ['MY', 'f'],
  ['MZXQ', 'fo'],
  ['MZXW6', 'foo'],
  ['MZXW6YQ', 'foob'],
  ['MZXW6YTB', 'fooba'],
  ['MZXW6YTBOI', 'foobar'],
])('Base32 is read, RFC 4648 §10: %j', (encoded, plain) => {
  expect(Buffer.from(fromBase32(encoded) ?? 'nothing').toString()).toBe(plain);
});

it.each(['M', 'MZX', 'MZXW6Y', 'my', 'MY======', 'M1', 'M Y', 'MÄ'])('decodes nothing from %j', (text) => {
  expect(fromBase32(text)).toBeUndefined();
});
