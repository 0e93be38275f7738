/** A Yubikey in software, for tests: it types Yubico OTPs. Written out of the description, with nothing of what reads them. */
import { createCipheriv, randomBytes } from 'node:crypto';

const modhex = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/[0-9a-f]/g, (digit) => 'cbdefghijklnrtuv'.charAt(Number.parseInt(digit, 16)));

export class Yubikey {
  readonly key = randomBytes(16);
  readonly privateId = randomBytes(6);
  readonly publicId: Buffer;
  /** The number of times that it was plugged in. */
  uses = 1;
  /** Touches since. */
  touches = 0;

  constructor(publicId: Buffer = randomBytes(6)) {
    this.publicId = publicId;
  }

  /** The parameters of its registration. */
  get parameters() {
    return {
      key: this.key.toString('base64'),
      secret: this.privateId.toString('base64'),
      public: this.publicId.toString('base64'),
    };
  }

  plugIn(): this {
    this.uses += 1;
    this.touches = 0;
    return this;
  }

  touch(): string {
    const plain = Buffer.alloc(16);
    plain.set(this.privateId);
    plain.writeUInt16LE(this.uses, 6);
    plain.set(randomBytes(3), 8);
    plain.writeUInt8(this.touches, 11);
    plain.set(randomBytes(2), 12);
    plain.writeUInt16LE(checksum(plain.subarray(0, 14)), 14);
    this.touches += 1;
    const cipher = createCipheriv('aes-128-ecb', this.key, null).setAutoPadding(false);
    return modhex(this.publicId) + modhex(Buffer.concat([cipher.update(plain), cipher.final()]));
  }
}

/** Bit by bit: x^16 + x^12 + x^5 + 1, reflected, complemented at the end. */
function checksum(bytes: Uint8Array): number {
  const bits = [...bytes].flatMap((byte) => Array.from({ length: 8 }, (_, at) => (byte >> at) & 1));
  const register = bits.reduce(
    (left, bit) => ((left ^ bit) & 1 ? (left >>> 1) ^ 0x8408 : left >>> 1),
    0xffff,
  );
  return ~register & 0xffff;
}
