/**
 * `otpauth://` URIs, which authenticator apps read from QR codes. Standard apps take the secret
 * and its shape and ignore what they don't know; our own fields come behind.
 */
import { toBase32 } from './base32.ts';
import { type Algorithm, algorithmOf } from './hotp.ts';

/** Who the account is with. */
export interface Issuer {
  readonly issuer: string;
  /** Whether the label is `issuer:name`, and not the name alone. A name with a colon has an issuer of its own. */
  readonly namesIssuer?: boolean | undefined;
}

export interface TokenUri extends Issuer {
  readonly type: 'HOTP' | 'TOTP';
  /** The account, as the app shows it. */
  readonly name: string;
  readonly secret: Uint8Array;
  readonly digits: number;
  /** The hash of its codes; left out: {@link algorithmOf} the secret. */
  readonly algorithm?: Algorithm | undefined;
  /** Of a TOTP token: seconds of a time step; of a HOTP token: its next counter. */
  readonly moving: number;
  readonly userid: string;
  readonly domain: string;
  /** The mobile session and where it is confirmed; none: the token is registered without a scan. */
  readonly confirmation?: { readonly endpoint: string; readonly session: string } | undefined;
}

/** Of the form of the URI. */
const version = '1';

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

/** All but the unreserved characters of RFC 3986 §2.3; `encodeURIComponent` leaves five of RFC 2396. */
function escapeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
