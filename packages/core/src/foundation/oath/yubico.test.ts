import { createCipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc, fromModhex, readYubico, toModhex } from './yubico.ts';

/** The example of libyubikey and of the manual of the YubiKey: `ykparse ecde18db… dteffuje…`. */
const key = Buffer.from('ecde18dbe76fbd0c33330f1c354871db', 'hex');
const privateId = Buffer.from('8792ebfe26cc', 'hex');
const output = 'dteffujehknhfjbrjnlnldnhcujvddbikngjrtgh';
const token = { secret: Buffer.concat([key, privateId]), publicId: 'dteffuje' };

describe('an output of a Yubikey', () => {
  it('is read as in the manual: use 19, 17 since the key was plugged in', () => {
    expect(readYubico(output, token)).toEqual({ number: 19 * 256 + 17 });
    expect(readYubico(` ${output.toUpperCase()}\n`, token)).toEqual({ number: 19 * 256 + 17 });
  });

  it.each([
    ['another public id', `dteffujd${output.slice(8)}`, token],
    ['no public id', output.slice(8), token],
    ['one letter changed', output.replace(/h$/, 'g'), token],
    ['a letter too many', `${output}c`, token],
    ['no modhex', output.replace(/h$/, 'a'), token],
    ['another private id', output, { ...token, secret: Buffer.concat([key, Buffer.alloc(6)]) }],
    ['another AES key', output, { ...token, secret: Buffer.concat([Buffer.alloc(16), privateId]) }],
    ['a secret that is none', output, { ...token, secret: key }],
    ['nothing', '', token],
  ])('is refused with %s', (_, text, of) => {
    expect(readYubico(text, of)).toBeUndefined();
  });

  it('is read with any content, and nothing else is', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.uint8Array({ minLength: 6, maxLength: 6 }),
        fc.integer({ min: 0, max: 0x7fff }),
        fc.integer({ min: 0, max: 255 }),
        fc.uint8Array({ minLength: 0, maxLength: 16 }),
        fc.boolean(),
        (aes, id, uses, session, publicBytes, isTorn) => {
          const plain = Buffer.alloc(16);
          plain.set(id);
          plain.writeUInt16LE(uses, 6);
          plain.writeUInt8(session, 11);
          plain.writeUInt16LE(~crc(plain.subarray(0, 14)) & 0xffff, 14);
          if (isTorn) plain[8] = (plain[8] ?? 0) ^ 1;
          const cipher = createCipheriv('aes-128-ecb', aes, null).setAutoPadding(false);
          const publicId = toModhex(publicBytes);
          const typed = publicId + toModhex(Buffer.concat([cipher.update(plain), cipher.final()]));
          const read = readYubico(typed, { secret: Buffer.concat([aes, id]), publicId });
          expect(read?.number).toBe(isTorn ? undefined : uses * 256 + session);
        },
      ),
    );
  });
});

it('reads the modhex that it writes', () => {
  expect(toModhex(Buffer.from('0123456789abcdef', 'hex'))).toBe('cbdefghijklnrtuv');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 32 }), (bytes) => {
      expect(Buffer.from(fromModhex(toModhex(bytes)) ?? []).equals(bytes)).toBe(true);
    }),
  );
  for (const text of ['c', 'ca', 'cc ', '0123']) expect(fromModhex(text)).toBeUndefined();
});
