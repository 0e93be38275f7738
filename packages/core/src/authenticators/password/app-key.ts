/**
 * Application passwords (`AppKey`): one for each client, in the place of all factors, for programs that can ask for nothing but a
 * password. All come from one secret of the user, so the entry does not grow with the clients; what one client knows tells
 * nothing of another's.
 */
import { createHmac } from 'node:crypto';
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';

export interface AppKey {
  /** base64url, 32 bytes. */
  readonly secret: string;
  /** Characters of a password. */
  readonly length: number;
  /** In milliseconds since 1970; left out: never. */
  readonly expires?: number | undefined;
}

const key = 'Otp.AppKey';

/** What is there, expired or not. */
export function readAppKey(data: StoredData): AppKey | undefined {
  const bytes = data.keys.includes(key) ? data.get(key) : undefined;
  return bytes && JSON.parse(Buffer.from(bytes).toString('utf8'));
}

export const appKeyChanges = (appKey: AppKey | undefined): DataChanges =>
  new Map([[key, appKey ? Buffer.from(JSON.stringify(appKey)) : null]]);

export const isInForce = ({ expires }: { readonly expires?: number | undefined }, now: number): boolean =>
  expires === undefined || now < expires;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would make some letters likelier than others. */
const fair = 256 - (256 % alphabet.length);

/** The password of a client, whose name counts without regard to case. */
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

/** Blanks around it are the work of who copies. */
export const isAppPassword = (text: string, client: string, appKey: AppKey): boolean =>
  isSameSecret(text.trim(), passwordFor(client, appKey));
