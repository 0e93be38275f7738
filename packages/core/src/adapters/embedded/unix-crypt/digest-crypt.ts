/**
 * The password hashes of crypt(3) that rest on a digest: MD5-crypt (`$1$`), and SHA-crypt (`$5$`, `$6$`) by
 * Ulrich Drepper's "Unix crypt using SHA-256 and SHA-512".
 */
import { createHash } from 'node:crypto';
import { encode } from './base64.ts';
import { mostRounds, stretch } from './rounds.ts';

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

/** The MD5-crypt of a password with the salt of `stored`; undefined if that is none. */
export async function md5Crypt(password: string, stored: string): Promise<string | undefined> {
  const [, salt] = /^\$1\$([^$]{0,8})\$/.exec(stored) ?? [];
  if (salt === undefined) return undefined;
  const digest = await md5Digest(Buffer.from(password, 'utf8'), Buffer.from(salt, 'utf8'));
  return `$1$${salt}$${encode(digest, md5.order)}`;
}

/** The SHA-crypt of a password with the salt and rounds of `stored`; undefined if that is none, or too costly. */
export async function shaCrypt(password: string, stored: string): Promise<string | undefined> {
  const match = /^\$([56])\$(?:rounds=([0-9]{1,9})\$)?([^$]{0,16})[^$]*(?:\$|$)/.exec(stored);
  if (!match) return undefined;
  const [, kind, asked, salt = ''] = match;
  const rounds = Math.max(1000, Number(asked ?? 5000));
  if (rounds > mostRounds) return undefined;
  const scheme = kind === '5' ? sha256 : sha512;
  const digest = await shaDigest(scheme, Buffer.from(password, 'utf8'), {
    salt: Buffer.from(salt, 'utf8'),
    rounds,
  });
  const prefix = asked === undefined ? `$${kind}$` : `$${kind}$rounds=${rounds}$`;
  return `${prefix}${salt}$${encode(digest, scheme.order)}`;
}

/** Steps 1 to 21 of the specification. */
async function shaDigest(
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
async function md5Digest(password: Buffer, salt: Buffer): Promise<Buffer> {
  const digest = (...parts: readonly Buffer[]): Buffer => hash('md5', parts);
  const parts = [password, Buffer.from('$1$'), salt];
  parts.push(repeated(digest(password, salt, password), password.length));
  for (let bits = password.length; bits > 0; bits >>>= 1) {
    parts.push(bits & 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  }
  return stretch(digest(...parts), 1000, (result, round) =>
    digest(...mixed({ result, round, password, salt })),
  );
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

function hash(algorithm: string, parts: readonly Buffer[]): Buffer {
  const digest = createHash(algorithm);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.concat(Array<Buffer>(Math.ceil(length / bytes.length) || 0).fill(bytes)).subarray(0, length);
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
