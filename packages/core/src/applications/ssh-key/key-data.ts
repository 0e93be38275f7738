/** The SSH key of a user as stored on the entry: the public key, its expiry and its maximum of uses. */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import type { PublicKey } from './public-key.ts';

const keys = {
  spki: 'SshKey.PublicKey',
  type: 'SshKey.KeyType',
  /** The relying party of a key on a FIDO2 device. */
  application: 'SshKey.KeyApplication',
  /** Seconds since 1970, decimal. */
  expires: 'SshKey.KeyExpires',
  maxUse: 'SshKey.KeySessions',
  comment: 'SshKey.KeyComment',
} as const;

export interface KeyTerms {
  /** Milliseconds since 1970; undefined: it does not expire. */
  readonly expires: number | undefined;
  /** Sessions that it is good for; undefined: any number. */
  readonly maxUse: number | undefined;
}

export interface StoredKey extends PublicKey, KeyTerms {}

/** Undefined: there is none. */
export function readKey(data: Pick<StoredData, 'get'>): StoredKey | undefined {
  const spki = data.get(keys.spki);
  if (!spki) return undefined;
  const text = (key: string) => Buffer.from(data.get(key) ?? []).toString('latin1');
  const number = (key: string) => (/^[0-9]{1,12}$/.test(text(key)) ? Number(text(key)) : undefined);
  const [expires, comment] = [number(keys.expires), data.get(keys.comment)];
  return {
    ...{ spki, type: text(keys.type), maxUse: number(keys.maxUse) },
    application: data.get(keys.application) && text(keys.application),
    ...(comment && { comment: Buffer.from(comment).toString() }),
    expires: expires === undefined ? undefined : expires * 1000,
  };
}

/** Returns the changes for `swapData`. @param key undefined: removes the key */
export function keyChanges(key: PublicKey | undefined, terms: KeyTerms): DataChanges {
  return new Map([
    [keys.spki, key?.spki ?? null],
    [keys.type, key ? Buffer.from(key.type) : null],
    [keys.application, key?.application === undefined ? null : Buffer.from(key.application)],
    [keys.comment, key?.comment === undefined ? null : Buffer.from(key.comment)],
    ...(key ? termChanges(terms) : termChanges({ expires: undefined, maxUse: undefined })),
  ]);
}

/** The same of the terms alone. */
export const termChanges = ({ expires, maxUse }: KeyTerms): DataChanges =>
  new Map([
    [keys.expires, expires === undefined ? null : Buffer.from(String(Math.ceil(expires / 1000)))],
    [keys.maxUse, maxUse === undefined ? null : Buffer.from(String(maxUse))],
  ]);
