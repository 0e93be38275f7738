/** HMAC against the vectors of RFC 2202 and RFC 4231, and against node:crypto. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HmacHash, hmacHex, hmacKey } from './hmac.ts';

const bytes = (length: number, value: number) => Buffer.alloc(length, value);
const larger = 'Test Using Larger Than Block-Size Key - Hash Key First';
const [jefe, what] = [Buffer.from('Jefe'), Buffer.from('what do ya want for nothing?')];

/** Key, data, digest; without the truncated digests of RFC 4231. */
const vectors: readonly (readonly [string, HmacHash, Buffer, Buffer, string])[] = [
  [
    'RFC 2202 §3, 1',
    'sha1',
    bytes(20, 0x0b),
    Buffer.from('Hi There'),
    'b617318655057264e28bc0b6fb378c8ef146be00',
  ],
  ['RFC 2202 §3, 2', 'sha1', jefe, what, 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'],
  ['RFC 2202 §3, 3', 'sha1', bytes(20, 0xaa), bytes(50, 0xdd), '125d7342b9ac11cd91a39af48aa17b4f63f175d3'],
  [
    'RFC 2202 §3, 6',
    'sha1',
    bytes(80, 0xaa),
    Buffer.from(larger),
    'aa4ae5e15272d00e95705637ce8a3b55ed402112',
  ],
  [
    ...(['RFC 4231 §4.2', 'sha256', bytes(20, 0x0b), Buffer.from('Hi There')] as const),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    ...(['RFC 4231 §4.3', 'sha256', jefe, what] as const),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    ...(['RFC 4231 §4.7', 'sha256', bytes(131, 0xaa), Buffer.from(larger)] as const),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    ...(['RFC 4231 §4.3', 'sha512', jefe, what] as const),
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  ],
];

describe('hmacHex', () => {
  it.each(vectors)('computes the digest of %s, %s', (_, algorithm, key, data, digest) => {
    expect(hmacHex(hmacKey(algorithm, key), data)).toBe(digest);
  });

  it.each<HmacHash>(['sha1', 'sha256', 'sha512'])(
    'computes the digest that node:crypto computes, for keys and data of any length: %s',
    (name) => {
      const any = fc.uint8Array({ maxLength: 300 });
      fc.assert(
        fc.property(any, fc.array(any, { minLength: 1, maxLength: 3 }), (key, messages) => {
          const ready = hmacKey(name, key);
          for (const message of messages)
            expect(hmacHex(ready, message)).toBe(createHmac(name, key).update(message).digest('hex'));
        }),
      );
    },
  );
});
