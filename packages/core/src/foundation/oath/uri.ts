/**
 * `otpauth://` URIs, which authenticator apps read from QR codes. Our own fields come last, and other apps ignore them.
 */
import { toBase32 } from './base32.ts';
import { type Algorithm, algorithmOf } from './hotp.ts';

export interface Issuer {
  readonly issuer: string;
  /** Whether the label is `issuer:name`, not the name alone. A name with a colon has its own issuer. */
  readonly namesIssuer?: boolean | undefined;
}

export interface TokenUri extends Issuer {
  readonly type: 'HOTP' | 'TOTP';
  /** The account name that the app shows. */
  readonly name: string;
  readonly secret: Uint8Array;
  readonly digits: number;
  /** {@link algorithmOf} the secret if left out. */
  readonly algorithm?: Algorithm | undefined;
  /** The moving factor: seconds of a time step (TOTP), or the next counter (HOTP). */
  readonly moving: number;
  readonly userid: string;
  readonly domain: string;
  /** The mobile session and its endpoint; undefined where the registration needs no confirmation. */
  readonly confirmation?: { readonly endpoint: string; readonly session: string } | undefined;
}

/** The version of the URI's format. */
const version = '1';

/**
 * Writes the `otpauth://` URI of a token, which authenticator apps read from a QR code.
 * @param uri the fields of the token; `moving` is in seconds for TOTP, and the next counter for HOTP
 * @returns the URI, with the fields that only our app reads at its end
 * @see docs/concepts/factors-and-login-modes.md#authenticator
 * @example
 * ```ts
 * import { formatUri } from '@watchword/core/otp';
 *
 * const secret = Buffer.from('12345678901234567890');
 * const names = { issuer: 'Example', name: 'alice', userid: 'alice', domain: 'Default' };
 * const uri = formatUri({ type: 'TOTP', secret, digits: 6, moving: 30, ...names });
 * console.log(new URL(uri).searchParams.get('period')); // 30
 * ```
 */
export function formatUri(uri: TokenUri): string {
  const { type, name, secret, digits, issuer, moving, userid, domain, confirmation } = uri;
  const { algorithm = algorithmOf(secret) } = uri;
  const fields = {
    secret: toBase32(secret),
    algorithm,
    digits: String(digits),
    issuer,
    [type === 'TOTP' ? 'period' : 'counter']: String(moving),
    ...{ userid, domain, ...confirmation, version },
  };
  const query = Object.entries(fields).map(([field, value]) => `${field}=${escapeUri(value)}`);
  const prefix = uri.namesIssuer && !name.includes(':') ? `${escapeUri(issuer)}:` : '';
  return `otpauth://${type.toLowerCase()}/${prefix}${escapeUri(name)}?${query.join('&')}`;
}

/** Escapes all but the unreserved characters of RFC 3986 §2.3; `encodeURIComponent` leaves five more. */
function escapeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
