/** Printed lists of one-time passwords, and emergency one-time passwords. */
import { createSecretKey, hash, timingSafeEqual } from 'node:crypto';
import type { DataChanges, StoredData } from '../directory/data/data.ts';
import { firstMatch, hotp } from '../foundation/oath/hotp.ts';
import { isSameSecret } from '../foundation/text/secret/same-secret.ts';
import type { Random } from '../ports/random.ts';

/** A printed list: the codes of the counters 0 to size − 1 of a random secret (RFC 4226), each good once, in any order. */
export interface CodeList {
  readonly secret: Uint8Array;
  /** Digits of a code: the printed codes do not change with a setting. */
  readonly digits: number;
  /** Codes on the list, 1 to 100. */
  readonly size: number;
  /** Positions of the codes that were used, from 0. */
  readonly used: ReadonlySet<number>;
  /** The name that the user gave it. */
  readonly name?: string | undefined;
}

/** The state is digits of a code (1 byte) ‖ size (1 byte) ‖ one bit for each used code. */
const [secretKey, stateKey, nameKey] = ['Otp.ListKey', 'Otp.ListState', 'Otp.ListName'];

export interface ListShape {
  readonly digits: number;
  readonly size: number;
  /** Bytes of the secret: 20, 32 or 64. */
  readonly secretLength: number;
}

/** Makes a new list. No two of its codes are the same, so that none is good twice. */
export function makeList({ secretLength, ...shape }: ListShape, random: Random): CodeList {
  for (;;) {
    const list = { secret: random.bytes(secretLength), ...shape, used: new Set<number>() };
    if (new Set(codesOf(list)).size === list.size) return list;
  }
}

/** Returns all codes, as they are printed. */
export function codesOf({ secret, digits, size }: CodeList): readonly string[] {
  const source = { secret: createSecretKey(secret), digits };
  return positionsOf(size).map((position) => hotp(source, position));
}

/** Returns the position of an unused code. @returns undefined if the code is wrong or used */
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

/** Returns what `swapData` writes. @param list undefined removes the list */
export function listChanges(list: CodeList | undefined): DataChanges {
  return new Map([
    [secretKey, list?.secret ?? null],
    [stateKey, list ? encodeState(list) : null],
    ...listNameChange(list?.name),
  ]);
}

/** Returns what `swapData` writes to name the list. @param name undefined removes the name */
export const listNameChange = (name: string | undefined): DataChanges =>
  new Map([[nameKey, name === undefined ? null : Buffer.from(name)]]);

/** Returns what `swapData` writes when a code is claimed; nothing if the code was used, or if another list replaced this one. */
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

/** An emergency one-time password: while it is in force it is accepted wherever a one-time password is. */
export interface Emergency {
  /** The MD5 of the format. The data key is encrypted on the entry, and the password lives for hours. */
  readonly digest: Uint8Array;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** Uses that are left; 0: no limit. */
  readonly uses: number;
}

/** MD5 (16 bytes) ‖ start ‖ end (uint32, seconds since 1970) ‖ uses left (uint16, 0: no limit). */
const emergencyData = 'Otp.EmergOTP';
const emergencyLength = 26;

export const emergencyOf = (otp: string, terms: Omit<Emergency, 'digest'>): Emergency => ({
  digest: hash('md5', otp, 'buffer'),
  ...terms,
});

/** Reads the emergency password that is in force. */
export function readEmergency(data: Pick<StoredData, 'get'>, now: number): Emergency | undefined {
  const stored = data.get(emergencyData);
  const bytes = stored && Buffer.from(stored);
  if (bytes?.length !== emergencyLength) return undefined;
  const start = bytes.readUInt32BE(16) * 1000;
  const end = bytes.readUInt32BE(20) * 1000;
  if (now < start || now >= end) return undefined;
  return { digest: bytes.subarray(0, 16), start, end, uses: bytes.readUInt16BE(24) };
}

/** Returns whether there is an emergency password, in force or not. */
export const hasEmergency = (data: Pick<StoredData, 'keys'>): boolean => data.keys.includes(emergencyData);

export const isEmergency = ({ digest }: Emergency, otp: string): boolean =>
  timingSafeEqual(digest, hash('md5', otp.trim(), 'buffer'));

/** Returns what `swapData` writes. @param emergency undefined removes the password */
export const emergencyChanges = (emergency: Emergency | undefined): DataChanges =>
  new Map([[emergencyData, emergency ? encodeEmergency(emergency) : null]]);

/** One more than the greatest uint16, which counts uses. */
const mostUses = 0x10000;

/** One use of an emergency password. */
export interface EmergencyUse {
  /** Counted up to the most uses: it implies how many are left, and is never claimed twice. */
  readonly number: number;
  /** The changes for `swapData`: the last use removes the password. */
  readonly changes: DataChanges;
}

/**
 * Returns the next use.
 * @param claimed the highest number that the store knows as claimed
 * @returns undefined if no use is left, or if another password replaced this one
 */
export function emergencyUse(
  stored: Pick<StoredData, 'get'>,
  of: Emergency,
  claimed = -1,
): EmergencyUse | undefined {
  const now = readEmergency(stored, of.start);
  const isSame = now?.start === of.start && now.end === of.end && isSameSecret(now.digest, of.digest);
  if (!isSame || now.uses === 0) return undefined;
  const number = Math.max(mostUses - now.uses, claimed + 1);
  const left = mostUses - number - 1;
  if (left < 0) return undefined;
  return { number, changes: emergencyChanges(left === 0 ? undefined : { ...now, uses: left }) };
}

function encodeEmergency({ digest, start, end, uses }: Emergency): Uint8Array {
  const terms = Buffer.alloc(emergencyLength - digest.length);
  terms.writeUInt32BE(Math.floor(start / 1000), 0);
  terms.writeUInt32BE(Math.floor(end / 1000), 4);
  terms.writeUInt16BE(uses, 8);
  return Buffer.concat([digest, terms]);
}
