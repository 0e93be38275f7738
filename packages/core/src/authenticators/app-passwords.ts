/** Passwords that replace all factors of a user: application passwords (`AppKey`), and a temporary password (`TmpKey`) for a day. */
import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto';
import type { DataChanges, StoredData } from '../directory/data/data.ts';
import { isSameSecret } from '../foundation/text/secret/same-secret.ts';

/**
 * The source of a user's application passwords, for programs that can ask for nothing but a password. Each client has its own,
 * derived from one secret: the entry does not grow, and a client's password reveals nothing of another's.
 */
export interface AppKey {
  /** base64url, 32 bytes. */
  readonly secret: string;
  /** Characters of a password. */
  readonly length: number;
  /** Milliseconds since 1970. Optional; default: none. */
  readonly expires?: number | undefined;
}

const appKey = 'Otp.AppKey';

/** Reads the application key of a user, expired or not. */
export const readAppKey = (data: StoredData): AppKey | undefined =>
  data.keys.includes(appKey) ? parsed(data.get(appKey)) : undefined;

export const appKeyChanges = (value: AppKey | undefined): DataChanges => new Map([[appKey, written(value)]]);

export const isInForce = ({ expires }: { readonly expires?: number | undefined }, now: number): boolean =>
  expires === undefined || now < expires;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The first byte that would make some letters likelier than others. */
const fair = 256 - (256 % alphabet.length);

/** Derives the password of a client. @param client in any case */
export function passwordFor(client: string, { secret, length }: Pick<AppKey, 'secret' | 'length'>): string {
  let password = '';
  for (let block = 0; password.length < length; block += 1) {
    const bytes = createHmac('sha256', Buffer.from(secret, 'base64url'))
      .update(`${block}:${client.toLowerCase()}`)
      .digest();
    for (const byte of bytes) if (byte < fair) password += alphabet.charAt(byte % alphabet.length);
  }
  return password.slice(0, length);
}

/** Returns whether a text is the password of a client. Blanks around it come from copying. */
export const isAppPassword = (text: string, client: string, key: AppKey): boolean =>
  isSameSecret(text.trim(), passwordFor(client, key));

/** A scrypt hash, which is kept sealed on the entry. */
export interface TemporaryPassword {
  /** base64url */
  readonly salt: string;
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

const temporaryKey = 'Otp.TmpKey';

export const readTemporary = (data: Pick<StoredData, 'get'>): TemporaryPassword | undefined =>
  parsed(data.get(temporaryKey));

export const temporaryChanges = (value: TemporaryPassword | undefined): DataChanges =>
  new Map([[temporaryKey, written(value)]]);

/** A few milliseconds suffice: the hash is sealed, and lives for a day. */
const cost = { N: 2048, r: 8, p: 1 };

export const hashTemporary = (password: string, salt: Uint8Array): string =>
  scryptSync(password, salt, 32, cost).toString('base64url');

export const isTemporary = (text: string, { salt, hash }: TemporaryPassword): boolean =>
  timingSafeEqual(
    Buffer.from(hashTemporary(text, Buffer.from(salt, 'base64url')), 'base64url'),
    Buffer.from(hash, 'base64url'),
  );

const parsed = (bytes: Uint8Array | undefined) => bytes && JSON.parse(Buffer.from(bytes).toString('utf8'));

const written = (value: object | undefined): Uint8Array | null =>
  value ? Buffer.from(JSON.stringify(value)) : null;
