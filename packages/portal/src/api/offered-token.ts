/** A token that is being registered in an app: the page makes its secret, and the server verifies the first code. */
import { randomBytes, toBase64 } from './base64.ts';
import type { Manager } from './manager.ts';

export interface OfferedToken {
  /** Base64. */
  readonly key: string;
  readonly uri: string;
  /** Base64 of a PNG. */
  readonly picture: string;
  /** The mobile session that waits for the scan; undefined if this installation takes no confirmations of apps. */
  readonly session: string | undefined;
}

export interface TokenOwner {
  readonly dn: string;
  /** The label in the app. */
  readonly label: string;
  readonly userid: string;
  readonly domain: string;
}

/** Seconds that a scan may take. */
const patience = 300;
/** Bytes of a secret: RFC 4226 §4 R6 wants 20. */
const secretLength = 20;

export async function offerToken(manager: Manager, owner: TokenOwner): Promise<OfferedToken> {
  const { dn, label, userid, domain } = owner;
  const key = toBase64(randomBytes(secretLength));
  // Where no address for phones is set, apps cannot tell: the code that they show is asked for in any case.
  const session = await manager.Otp.Mobile_Session({ dn, timeout: patience }).catch(() => undefined);
  const terms = { name: label, key, userid, domain, ...(session && { session }) };
  const uri = await manager.Otp.TOTP_URI(terms);
  if (uri === false) throw { reason: 'not_found', data: '' };
  const picture = await manager.Get_QRCode({ uri, format: 'PNG', size: 5, margin: 2 });
  return { key, uri, picture, session };
}

/**
 * Registers it by a code that the app shows, which is used up by that: a wrong clock or a wrong secret is seen before anything is
 * registered. False: it is not the code of now.
 */
export async function registerByCode(
  manager: Manager,
  { key, uri }: OfferedToken,
  { otp, ...place }: { readonly dn: string; readonly id: number; readonly otp: string },
): Promise<boolean> {
  const state = await manager.Otp.TOTP_Verify({ otp, key, ...shapeOf(uri) });
  if (state === false) return false;
  await manager.Otp.TOTP_Register({ ...place, key, state });
  return true;
}

/** Reads the shape from the URI of a token (Key URI Format of Google Authenticator): digits of a code, seconds of a time step. */
function shapeOf(uri: string): { readonly length: number; readonly period: number } {
  const given = new URL(uri).searchParams;
  return { length: Number(given.get('digits') ?? 6), period: Number(given.get('period') ?? 30) };
}

/** Returns a text without its spaces: apps show codes in groups. */
export const codeIn = (typed: string): string => typed.replace(/\s/g, '');
