/**
 * The shared record of an administrator session: its last use, and the sealed login. It is stored under a hash of the cookie, from which
 * the key is derived: the store alone opens no session.
 */
import { hash, hkdfSync } from 'node:crypto';
import { KeyRing } from '../../../ports/keys.ts';
import type { Random } from '../../../ports/random.ts';
import type { Credentials } from '../identity/credentials.ts';

/** The sealed part: with it another node can bind as the administrator. */
export interface KeptSession extends Credentials {
  /** The administrator's DN. */
  readonly dn: string;
  /** The certificate that it began with, and that has to come with each request: its SHA-256, hexadecimal. */
  readonly fingerprint?: string | undefined;
  /** Milliseconds since 1970. */
  readonly began: number;
  /** The administrator was activated when it began, where the door watches that. */
  readonly isActivated?: boolean;
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

/** The facts of a listed session. */
export interface SessionAbout {
  /** The administrator's DN. */
  readonly administrator: string;
  /** The address of the browser in which it began. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly began: number;
}

const aboutLength = 2;

/** Puts the facts in front of the sealed login. */
export function withAbout(about: SessionAbout, sealed: Uint8Array): Uint8Array {
  const plain = Buffer.from(JSON.stringify(about));
  const length = Buffer.alloc(aboutLength);
  length.writeUInt16BE(plain.length);
  return Buffer.concat([length, plain, sealed]);
}

/** Takes apart what {@link withAbout} has put together. */
export function splitAbout(bytes: Uint8Array): { readonly about: SessionAbout; readonly sealed: Uint8Array } {
  const end = aboutLength + Buffer.from(bytes).readUInt16BE(0);
  const about = JSON.parse(Buffer.from(bytes.subarray(aboutLength, end)).toString('utf8')) as SessionAbout;
  return { about, sealed: bytes.subarray(end) };
}

/** The record of a session that was used again. */
export const usedAgain = (bytes: Uint8Array, used: number): Uint8Array =>
  encodeRecord({ ...decodeRecord(bytes), used });

/** 128 bits, as hexadecimal text. */
export const newCookie = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');

export const isCookie = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Returns the name of a session where its cookie must not be. */
export const sessionId = (cookie: string): string => hash('sha256', cookie);

/** Families of the Manager's sessions, and of the Admin Portal's. */
export const sessionFamily = 'session';
export const portalFamily = 'portal-session';

/** @param place where it is kept, and nowhere else can it be opened */
export const sealSession = (kept: KeptSession, cookie: string, { place, random }: SealedAt): Uint8Array =>
  ringOf(cookie, random).seal(Buffer.from(JSON.stringify(kept)), place);

/** @throws ServiceError `internal` if it was sealed for another cookie */
export function openSession(sealed: Uint8Array, cookie: string, { place, random }: SealedAt): KeptSession {
  const opened = ringOf(cookie, random).open(sealed, place);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as KeptSession;
}

interface SealedAt {
  readonly place: string;
  readonly random: Random;
}

function ringOf(cookie: string, random: Random): KeyRing {
  const key = hkdfSync('sha256', Buffer.from(cookie, 'hex'), '', 'watchword administrator session', 32);
  return new KeyRing([new Uint8Array(key)], random);
}
