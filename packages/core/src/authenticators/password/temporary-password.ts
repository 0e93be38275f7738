/** A temporary password (`TmpKey`): in the place of all factors, for a day at most. Its scrypt hash stands sealed on the entry. */
import { scryptSync, timingSafeEqual } from 'node:crypto';
import type { DataChanges, StoredData } from '../../directory/data/data.ts';

export interface TemporaryPassword {
  /** base64url */
  readonly salt: string;
  readonly hash: string;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

const key = 'Otp.TmpKey';

export function readTemporary(data: Pick<StoredData, 'get'>): TemporaryPassword | undefined {
  const bytes = data.get(key);
  return bytes && JSON.parse(Buffer.from(bytes).toString('utf8'));
}

export const temporaryChanges = (one: TemporaryPassword | undefined): DataChanges =>
  new Map([[key, one ? Buffer.from(JSON.stringify(one)) : null]]);

/** Some milliseconds: it is sealed besides, and lives for a day. */
const cost = { N: 2048, r: 8, p: 1 };

export const hashTemporary = (password: string, salt: Uint8Array): string =>
  scryptSync(password, salt, 32, cost).toString('base64url');

export const isTemporary = (text: string, { salt, hash }: TemporaryPassword): boolean =>
  timingSafeEqual(
    Buffer.from(hashTemporary(text, Buffer.from(salt, 'base64url')), 'base64url'),
    Buffer.from(hash, 'base64url'),
  );
