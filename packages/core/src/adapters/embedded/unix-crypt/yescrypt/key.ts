/**
 * yescrypt (Peslyak, "yescrypt - password hashing scalable beyond bcrypt and scrypt", openwall.com/yescrypt), in
 * its native flavour: PBKDF2 spreads a password over the lanes, SMix makes it costly, PBKDF2 makes a key of them,
 * which is stored as SCRAM does it (RFC 5802 §3).
 */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { Cost } from './setting.ts';
import { type Lane, lane, smix } from './smix.ts';
import { bytesOf, wordsOf } from './words.ts';

export interface Task {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly cost: Cost;
}

/** The 32 bytes that are stored. It takes as much memory and time as the cost says: not for the event loop. */
export function storedKey({ password, salt, cost }: Task): Buffer {
  const secret = Buffer.from(password, 'utf8');
  const prehashed = isLarge(cost)
    ? derivedKey(hmac('yescrypt-prehash', secret), salt, { ...cost, N: cost.N / 64, t: 0 })
    : secret;
  const key = derivedKey(hmac('yescrypt', prehashed), salt, cost);
  return createHash('sha256').update(hmac(key, 'Client Key')).digest();
}

/** From 16 MiB a lane on a password is hashed with a 64th of that first, so that it is soon gone from memory. */
function isLarge({ N, r, p }: Cost): boolean {
  const share = Math.floor(N / p);
  return share >= 0x100 && share * r >= 0x20000;
}

function derivedKey(secret: Buffer, salt: Uint8Array, cost: Cost): Buffer {
  const size = 128 * cost.r;
  const spread = pbkdf2(secret, salt, size * cost.p);
  const lanes = Array.from({ length: cost.p }, (_, at) =>
    lane(wordsOf(spread.subarray(at * size, (at + 1) * size))),
  );
  const last = hmac(bytesOfAll(lanes).subarray(size - 64, size), spread.subarray(0, 32));
  smix(lanes, cost);
  return pbkdf2(last, bytesOfAll(lanes), 32);
}

function bytesOfAll(lanes: readonly Lane[]): Buffer {
  return Buffer.concat(lanes.map(({ block }) => bytesOf(block)));
}

function hmac(key: Buffer | string, message: Buffer | string): Buffer {
  return createHmac('sha256', key).update(message).digest();
}

function pbkdf2(secret: Buffer, salt: Uint8Array, length: number): Buffer {
  return pbkdf2Sync(secret, salt, 1, length, 'sha256');
}
