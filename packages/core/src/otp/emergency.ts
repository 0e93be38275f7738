/**
 * The emergency one-time password (concepts.md §5): while it is in force it is accepted wherever a one-time password
 * is. Stored as MD5(otp) (16 bytes) ‖ start ‖ end (uint32, seconds since 1970) ‖ uses left (uint16, 0: no limit).
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { DataChanges, StoredData } from '../directory/data.ts';

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
  const bytes = Buffer.from(data.get(key) ?? []);
  if (bytes.length !== length) return undefined;
  const [start, end] = [bytes.readUInt32BE(16) * 1000, bytes.readUInt32BE(20) * 1000];
  if (now < start || now >= end) return undefined;
  return { digest: bytes.subarray(0, 16), start, end, uses: bytes.readUInt16BE(24) };
}

export function isEmergency({ digest }: Emergency, otp: string): boolean {
  return timingSafeEqual(digest, hash('md5', otp.trim(), 'buffer'));
}

/** What `swapData` is to write; undefined: there is to be none. */
export function emergencyChanges(emergency: Emergency | undefined): DataChanges {
  return new Map([[key, emergency ? encode(emergency) : null]]);
}

/** What `swapData` is to write when it was used once: what has a last use goes with it. */
export function emergencyUse(emergency: Emergency): DataChanges {
  const { uses } = emergency;
  if (uses === 0) return new Map();
  return emergencyChanges(uses === 1 ? undefined : { ...emergency, uses: uses - 1 });
}

function encode({ digest, start, end, uses }: Emergency): Uint8Array {
  const terms = Buffer.alloc(length - digest.length);
  terms.writeUInt32BE(Math.floor(start / 1000), 0);
  terms.writeUInt32BE(Math.floor(end / 1000), 4);
  terms.writeUInt16BE(uses, 8);
  return Buffer.concat([digest, terms]);
}
