/**
 * What the nodes share of an administrator session: when it was last used, and the login, sealed. It is
 * kept under a hash of the cookie, and only the cookie gives the key: the store alone opens no session.
 */
import { hash, hkdfSync } from 'node:crypto';
import { KeyRing } from '../../ports/keys.ts';
import type { Random } from '../../ports/random.ts';
import type { Credentials } from '../identity/credentials.ts';

/** The sealed part: with it another node can bind as the administrator. */
export interface KeptSession extends Credentials {
  /** The administrator's DN. */
  readonly dn: string;
  /** The certificate that it began with, and that has to come with each request: its SHA-256, hexadecimal. */
  readonly fingerprint?: string | undefined;
  /** Milliseconds since 1970. */
  readonly began: number;
}

/** A record taken apart. */
export interface SessionRecord {
  /** Milliseconds since 1970; a node that uses a session does not write it at every request. */
  readonly used: number;
  readonly sealed: Uint8Array;
}

const usedLength = 8;

export function encodeRecord({ used, sealed }: SessionRecord): Uint8Array {
  const bytes = Buffer.alloc(usedLength + sealed.length);
  bytes.writeDoubleBE(used);
  bytes.set(sealed, usedLength);
  return bytes;
}

export function decodeRecord(bytes: Uint8Array): SessionRecord {
  return { used: Buffer.from(bytes).readDoubleBE(0), sealed: bytes.subarray(usedLength) };
}

/** 128 bits, as hexadecimal text. */
export const newCookie = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');

export const isCookie = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** What a session is known by where its cookie must not be. */
export const sessionId = (cookie: string): string => hash('sha256', cookie);

/** What the store keeps sessions under. */
export const sessionFamily = 'session';

export const storeKey = (id: string): string => `${sessionFamily}:${id}`;

export function sealSession(kept: KeptSession, cookie: string, random: Random): Uint8Array {
  const place = storeKey(sessionId(cookie));
  return ringOf(cookie, random).seal(Buffer.from(JSON.stringify(kept)), place);
}

/** @throws ServiceError `internal` if it was sealed for another cookie */
export function openSession(sealed: Uint8Array, cookie: string, random: Random): KeptSession {
  const opened = ringOf(cookie, random).open(sealed, storeKey(sessionId(cookie)));
  return JSON.parse(Buffer.from(opened).toString('utf8')) as KeptSession;
}

function ringOf(cookie: string, random: Random): KeyRing {
  const key = hkdfSync('sha256', Buffer.from(cookie, 'hex'), '', 'watchword administrator session', 32);
  return new KeyRing([new Uint8Array(key)], random);
}
