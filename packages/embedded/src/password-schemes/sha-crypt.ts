/**
 * SHA-crypt (`$5$`, `$6$`) by Ulrich Drepper's "Unix crypt using SHA-256 and SHA-512", with the digests of Node
 * (docs/decisions/0029-passwords-of-the-embedded-directory.md).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from './check.ts';

/** The limit of rounds. The specification allows a thousand million. */
const mostRounds = 1_000_000;
/** Rounds between two yields to the event loop: about a millisecond. */
const roundsAtOnce = 500;

interface Kind {
  readonly algorithm: 'sha256' | 'sha512';
  /** The order in which bytes of the digest are written, three at a time. */
  readonly order: readonly (readonly number[])[];
}

const sha256: Kind = { algorithm: 'sha256', order: [...rotations(10, 32, 'down'), [31, 30]] };
const sha512: Kind = { algorithm: 'sha512', order: [...rotations(21, 64, 'up'), [63]] };

interface Setting {
  readonly salt: Buffer;
  readonly rounds: number;
}

/** Returns undefined for another scheme, and for a hash that is malformed or too expensive. */
export function shaCryptCheck(hashed: string): Check | undefined {
  const [, digit, asked = '5000', salt, text] =
    /^\$([56])\$(?:rounds=([1-9][0-9]{3,8})\$)?([^$]{0,16})\$([./0-9A-Za-z]{43}|[./0-9A-Za-z]{86})$/.exec(
      hashed,
    ) ?? [];
  const rounds = Number(asked);
  if (salt === undefined || text === undefined || rounds > mostRounds) return undefined;
  const kind = digit === '5' ? sha256 : sha512;
  const setting = { salt: Buffer.from(salt, 'utf8'), rounds };
  return async (password) => {
    // A string of C ends at a NUL, so no such password was ever set.
    if (password.includes('\0')) return false;
    const computed = encode(await digestOf(kind, Buffer.from(password, 'utf8'), setting), kind.order);
    return computed.length === text.length && timingSafeEqual(Buffer.from(computed), Buffer.from(text));
  };
}

/** Computes steps 1 to 21 of the specification. */
async function digestOf({ algorithm }: Kind, password: Buffer, { salt, rounds }: Setting): Promise<Buffer> {
  const digest = (...parts: readonly Buffer[]): Buffer =>
    parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest();
  const inner = digest(password, salt, password);
  const parts = [password, salt, repeated(inner, password.length)];
  for (let bits = password.length; bits > 0; bits >>>= 1) parts.push(bits & 1 ? inner : password);
  let result = digest(...parts);
  const p = repeated(digest(...Array<Buffer>(password.length).fill(password)), password.length);
  const s = repeated(digest(...Array<Buffer>(16 + result.readUInt8(0)).fill(salt)), salt.length);
  for (let round = 0; round < rounds; round += 1) {
    if (round % roundsAtOnce === roundsAtOnce - 1) await nextTurn();
    result = digest(...mixed(round, { result, p, s }));
  }
  return result;
}

/** Returns the input of a round: step 21. */
function mixed(round: number, { result, p, s }: { result: Buffer; p: Buffer; s: Buffer }): Buffer[] {
  const isOdd = round % 2 === 1;
  const parts = [isOdd ? p : result];
  if (round % 3 !== 0) parts.push(s);
  if (round % 7 !== 0) parts.push(p);
  return [...parts, isOdd ? result : p];
}

function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.concat(Array<Buffer>(Math.ceil(length / bytes.length) || 0).fill(bytes)).subarray(0, length);
}

const digits = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes in the base64 of crypt(3), step 22: the lowest six bits of each group first, no padding. */
function encode(bytes: Buffer, order: Kind['order']): string {
  return order
    .map((offsets) => {
      const bits = offsets.reduce((sum, at) => sum * 256 + bytes.readUInt8(at), 0);
      return Array.from({ length: offsets.length + 1 }, (_, at) => digits[(bits >>> (6 * at)) & 63]).join('');
    })
    .join('');
}

/** Returns the byte order of step 22: three columns a third apart, rotated by one in each row. */
function rotations(rows: number, size: number, direction: 'up' | 'down'): number[][] {
  const third = Math.floor(size / 3);
  return Array.from({ length: rows }, (_, row) => {
    const columns = [row, row + third, row + 2 * third];
    const turn = direction === 'up' ? row % 3 : (3 - (row % 3)) % 3;
    return [...columns.slice(turn), ...columns.slice(0, turn)];
  });
}
