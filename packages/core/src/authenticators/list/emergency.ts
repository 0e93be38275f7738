/**
 * The emergency one-time password (concepts.md §5): while it is in force it is accepted wherever a one-time password
 * is. Stored as MD5(otp) (16 bytes) ‖ start ‖ end (uint32, seconds since 1970) ‖ uses left (uint16, 0: no limit).
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';

export interface Emergency {
  /** MD5 is the format; the data key is encrypted on the entry, and the password lives for hours. */
  readonly digest: Uint8Array;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** How often it may still be used; 0: as often as one likes. */
  readonly uses: number;
}

const key = 'Otp.EmergOTP';
const length = 26;

export const emergencyOf = (otp: string, terms: Omit<Emergency, 'digest'>): Emergency => ({
  digest: hash('md5', otp, 'buffer'),
  ...terms,
});

/** The emergency password that is in force; undefined: there is none. */
export function readEmergency(data: Pick<StoredData, 'get'>, now: number): Emergency | undefined {
  const stored = data.get(key);
  const bytes = stored && Buffer.from(stored);
  if (bytes?.length !== length) return undefined;
  const start = bytes.readUInt32BE(16) * 1000;
  const end = bytes.readUInt32BE(20) * 1000;
  if (now < start || now >= end) return undefined;
  return { digest: bytes.subarray(0, 16), start, end, uses: bytes.readUInt16BE(24) };
}

/** There is one, in force or not. */
export const hasEmergency = (data: Pick<StoredData, 'keys'>): boolean => data.keys.includes(key);

export function isEmergency({ digest }: Emergency, otp: string): boolean {
  return timingSafeEqual(digest, hash('md5', otp.trim(), 'buffer'));
}

/** What `swapData` is to write; undefined: there is to be none. */
export function emergencyChanges(emergency: Emergency | undefined): DataChanges {
  return new Map([[key, emergency ? encode(emergency) : null]]);
}

/** Uses are counted by a uint16. */
const mostUses = 0x10000;

/** One use of an emergency password. */
export interface EmergencyUse {
  /** Counted up to the most that there may be, so that it says how many are left: none of them comes again. */
  readonly number: number;
  /** What `swapData` is to write: what has no use left goes. */
  readonly changes: DataChanges;
}

/**
 * The next use; undefined: there is none left, or it is not this password that stands there now.
 * @param claimed the highest number that was used so far, as far as the store knows
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

function encode({ digest, start, end, uses }: Emergency): Uint8Array {
  const terms = Buffer.alloc(length - digest.length);
  terms.writeUInt32BE(Math.floor(start / 1000), 0);
  terms.writeUInt32BE(Math.floor(end / 1000), 4);
  terms.writeUInt16BE(uses, 8);
  return Buffer.concat([digest, terms]);
}
