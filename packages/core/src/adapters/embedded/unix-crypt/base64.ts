/** The base64 of crypt(3): its own alphabet, no padding, and of every 24 bits the lowest six first. */

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Values of digits, 0 to 63; -1 for what is none. */
export function valuesOf(text: string): number[] {
  return Array.from(text, (digit) => alphabet.indexOf(digit));
}

/** The number that digits make, the lowest first. */
export function numberOf(text: string): number {
  return valuesOf(text).reduceRight((sum, value) => sum * 64 + value, 0);
}

/** The digits of six bits each. */
export function digits(values: readonly number[]): string {
  return values.map((value) => alphabet[value & 63]).join('');
}

/**
 * @param order in which bytes are written, up to three at a time, the highest of them first; without it they
 *   are written as they come.
 */
export function encode(bytes: Buffer, order: readonly (readonly number[])[] = inTurn(bytes.length)): string {
  return order
    .map((places) => {
      const bits = places.reduce((sum, at) => sum * 256 + bytes.readUInt8(at), 0);
      return digits(Array.from({ length: places.length + 1 }, (_, digit) => bits >>> (6 * digit)));
    })
    .join('');
}

/** What {@link encode} made of bytes as they come; undefined if it can have made no such text. */
export function decode(text: string): Buffer | undefined {
  const groups = (text.match(/.{1,4}/gs) ?? []).map(decodeGroup);
  return groups.every((group) => group !== undefined) ? Buffer.concat(groups) : undefined;
}

function decodeGroup(group: string): Buffer | undefined {
  const bits = numberOf(group);
  const length = Math.floor((group.length * 6) / 8);
  if (length === 0 || valuesOf(group).includes(-1) || bits >= 256 ** length) return undefined;
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(bits, 0, length);
  return bytes;
}

function inTurn(length: number): number[][] {
  return Array.from({ length: Math.ceil(length / 3) }, (_, group) =>
    [3 * group + 2, 3 * group + 1, 3 * group].filter((at) => at < length),
  );
}
