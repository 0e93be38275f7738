/**
 * A printed list of one-time passwords: the codes of the counters 0 to size − 1 of a random secret (RFC 4226), each
 * good once, in any order. Stored as `Otp.ListKey`, the secret, and `Otp.ListState`: digits of a code (1 byte) ‖
 * size (1 byte) ‖ one bit for each code that was used.
 */
import { createSecretKey } from 'node:crypto';
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import { firstMatch, hotp } from '../../foundation/oath/hotp.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';
import type { Random } from '../../ports/random.ts';

export interface CodeList {
  readonly secret: Uint8Array;
  /** Digits of a code: what is printed does not change with a setting. */
  readonly digits: number;
  /** Codes on the list, 1 to 100. */
  readonly size: number;
  /** Positions of the codes that were used, from 0. */
  readonly used: ReadonlySet<number>;
  /** As its user calls it. */
  readonly name?: string | undefined;
}

const [secretKey, stateKey, nameKey] = ['Otp.ListKey', 'Otp.ListState', 'Otp.ListName'];

export interface ListShape {
  readonly digits: number;
  readonly size: number;
  /** Bytes of the secret: 20, 32 or 64. */
  readonly secretLength: number;
}

/** A new list; no two of its codes are the same, so that none is good twice. */
export function makeList({ secretLength, ...shape }: ListShape, random: Random): CodeList {
  for (;;) {
    const list = { secret: random.bytes(secretLength), ...shape, used: new Set<number>() };
    if (new Set(codesOf(list)).size === list.size) return list;
  }
}

/** All codes, as they are printed. */
export function codesOf({ secret, digits, size }: CodeList): readonly string[] {
  const source = { secret: createSecretKey(secret), digits };
  return positionsOf(size).map((position) => hotp(source, position));
}

/** The position of a code that was not used yet; undefined: it is none. */
export function judgeListCode({ secret, digits, size, used }: CodeList, code: string): number | undefined {
  const source = { secret: createSecretKey(secret), digits };
  return firstMatch(
    code,
    source,
    positionsOf(size).filter((position) => !used.has(position)),
  );
}

export function readList(data: Pick<StoredData, 'get'>): CodeList | undefined {
  const secret = data.get(secretKey);
  const [digits = 0, size = 0, ...bits] = data.get(stateKey) ?? [];
  if (!secret || digits < 6 || digits > 10) return undefined;
  const isUsed = (position: number) => ((bits[position >> 3] ?? 0xff) & (1 << (position & 7))) !== 0;
  const name = data.get(nameKey);
  return {
    ...{ secret, digits, size, used: new Set(positionsOf(size).filter(isUsed)) },
    ...(name && { name: Buffer.from(name).toString() }),
  };
}

/** What `swapData` is to write; undefined: there is to be no list. */
export function listChanges(list: CodeList | undefined): DataChanges {
  return new Map([
    [secretKey, list?.secret ?? null],
    [stateKey, list ? encodeState(list) : null],
    ...listNameChange(list?.name),
  ]);
}

/** The same of its name alone. */
export const listNameChange = (name: string | undefined): DataChanges =>
  new Map([[nameKey, name === undefined ? null : Buffer.from(name)]]);

/** What `swapData` is to write when a code is used; nothing where it was before, or another list stands there now. */
export function listUse(stored: Pick<StoredData, 'get'>, of: CodeList, position: number): DataChanges {
  const now = readList(stored);
  if (!now || !isSameSecret(now.secret, of.secret) || now.used.has(position)) return new Map();
  return new Map([[stateKey, encodeState({ ...now, used: new Set([...now.used, position]) })]]);
}

const positionsOf = (size: number): readonly number[] =>
  Array.from({ length: size }, (_, position) => position);

function encodeState({ digits, size, used }: CodeList): Uint8Array {
  const bits = Buffer.alloc(Math.ceil(size / 8));
  for (const position of used) bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7));
  return Buffer.concat([Uint8Array.of(digits, size), bits]);
}
