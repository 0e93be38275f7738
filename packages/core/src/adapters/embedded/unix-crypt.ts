/**
 * The password hashes of crypt(3) that no native library offers: MD5-crypt (`$1$`), and SHA-crypt (`$5$`,
 * `$6$`) by Ulrich Drepper's "Unix crypt using SHA-256 and SHA-512". They are for hashes that arrive from
 * elsewhere; new ones are never made. The rounds give way to the event loop every now and then.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

interface Scheme {
  readonly algorithm: 'md5' | 'sha256' | 'sha512';
  /** The order in which bytes of the digest are written, three at a time. */
  readonly order: readonly (readonly number[])[];
}

const md5: Scheme = {
  algorithm: 'md5',
  order: [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5], [11]],
};
const sha256: Scheme = { algorithm: 'sha256', order: [...rotations(10, 32, 'down'), [31, 30]] };
const sha512: Scheme = { algorithm: 'sha512', order: [...rotations(21, 64, 'up'), [63]] };

/** Rounds between two looks at the event loop: about a millisecond. */
const roundsAtOnce = 500;
/** A stored hash may ask for a thousand million rounds; nobody waits for that. */
const mostRounds = 1_000_000;

/** The hash of a password with the salt and rounds of `stored`; undefined if it is of no scheme known here. */
export async function unixCrypt(password: string, stored: string): Promise<string | undefined> {
  const md5Match = /^\$1\$([^$]{0,8})\$/.exec(stored);
  if (md5Match) return md5Crypt(password, md5Match[1] ?? '');
  const match = /^\$([56])\$(?:rounds=([0-9]{1,9})\$)?([^$]{0,16})[^$]*(?:\$|$)/.exec(stored);
  if (!match) return undefined;
  const [, kind, asked, salt = ''] = match;
  const rounds = Math.max(1000, Number(asked ?? 5000));
  if (rounds > mostRounds) return undefined;
  const scheme = kind === '5' ? sha256 : sha512;
  const digest = await shaCrypt(scheme, Buffer.from(password, 'utf8'), {
    salt: Buffer.from(salt, 'utf8'),
    rounds,
  });
  const prefix = asked === undefined ? `$${kind}$` : `$${kind}$rounds=${rounds}$`;
  return `${prefix}${salt}$${encode(digest, scheme.order)}`;
}

/** Steps 1 to 21 of the specification. */
async function shaCrypt(
  { algorithm }: Scheme,
  password: Buffer,
  { salt, rounds }: { salt: Buffer; rounds: number },
): Promise<Buffer> {
  const digest = (...parts: readonly Buffer[]): Buffer => hash(algorithm, parts);
  const inner = digest(password, salt, password);
  const parts = [password, salt, repeated(inner, password.length)];
  for (let bits = password.length; bits > 0; bits >>>= 1) parts.push(bits & 1 ? inner : password);
  const start = digest(...parts);
  const p = repeated(digest(...Array<Buffer>(password.length).fill(password)), password.length);
  const s = repeated(digest(...Array<Buffer>(16 + start.readUInt8(0)).fill(salt)), salt.length);
  return stretch(start, rounds, (result, round) => digest(...mixed({ result, round, password: p, salt: s })));
}

/** Poul-Henning Kamp's MD5-crypt, as glibc does it. */
async function md5Crypt(text: string, saltText: string): Promise<string> {
  const [password, salt, magic] = [
    Buffer.from(text, 'utf8'),
    Buffer.from(saltText, 'utf8'),
    Buffer.from('$1$'),
  ];
  const digest = (...parts: readonly Buffer[]): Buffer => hash('md5', parts);
  const parts = [password, magic, salt, repeated(digest(password, salt, password), password.length)];
  for (let bits = password.length; bits > 0; bits >>>= 1) {
    parts.push(bits & 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  }
  const final = await stretch(digest(...parts), 1000, (result, round) =>
    digest(...mixed({ result, round, password, salt })),
  );
  return `$1$${saltText}$${encode(final, md5.order)}`;
}

interface Round {
  readonly result: Buffer;
  readonly round: number;
  readonly password: Buffer;
  readonly salt: Buffer;
}

/** What one round hashes; both algorithms have it in common. */
function mixed({ result, round, password, salt }: Round): Buffer[] {
  const odd = round % 2 === 1;
  const parts = [odd ? password : result];
  if (round % 3 !== 0) parts.push(salt);
  if (round % 7 !== 0) parts.push(password);
  return [...parts, odd ? result : password];
}

async function stretch(
  start: Buffer,
  rounds: number,
  next: (result: Buffer, round: number) => Buffer,
): Promise<Buffer> {
  let result = start;
  for (let round = 0; round < rounds; round += 1) {
    if (round % roundsAtOnce === roundsAtOnce - 1) await nextTurn();
    result = next(result, round);
  }
  return result;
}

function hash(algorithm: string, parts: readonly Buffer[]): Buffer {
  const digest = createHash(algorithm);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.concat(Array<Buffer>(Math.ceil(length / bytes.length) || 0).fill(bytes)).subarray(0, length);
}

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** crypt(3)'s base64: 24 bits at a time, the lowest six first. */
function encode(digest: Buffer, order: Scheme['order']): string {
  return order
    .map((bytes) => {
      let bits = bytes.reduce((sum, at) => sum * 256 + digest.readUInt8(at), 0);
      let text = '';
      for (let count = bytes.length + 1; count > 0; count -= 1, bits >>>= 6) text += alphabet[bits & 63];
      return text;
    })
    .join('');
}

/** The byte order of SHA-crypt: three columns a third apart, turned by one place in every row. */
function rotations(rows: number, size: number, direction: 'up' | 'down'): number[][] {
  const third = Math.floor(size / 3);
  return Array.from({ length: rows }, (_, row) => {
    const columns = [row, row + third, row + 2 * third];
    const turn = direction === 'up' ? row % 3 : (3 - (row % 3)) % 3;
    return [...columns.slice(turn), ...columns.slice(0, turn)];
  });
}
