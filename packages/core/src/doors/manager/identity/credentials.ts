/** Credentials for the Manager. */
import { isUtf8 } from 'node:buffer';
import type { PeerCertificate } from '../../../foundation/http/http.ts';
import { isSameSecret } from '../../../foundation/text/secret/same-secret.ts';

export interface Credentials {
  /** A DN in mode DN; `user` or `Domain\user` in mode UID; either, or nothing, in mode PKI. */
  readonly username: string;
  readonly password: string;
}

/** Credentials and the certificate that came with them, which counts in mode PKI only. */
export interface Proof extends Credentials {
  readonly certificate?: PeerCertificate | undefined;
}

/** The credentials of an `Authorization: Basic` header, RFC 7617 (UTF-8); undefined if it is none. */
export function basicCredentials(header: string): Credentials | undefined {
  const text = basicText(header);
  const colon = text?.indexOf(':') ?? -1;
  if (!text || colon < 0 || !isUtf8(text)) return undefined;
  return { username: text.toString('utf8', 0, colon), password: text.toString('utf8', colon + 1) };
}

/** A login by Basic in another encoding than UTF-8, as of a program that knows nothing of RFC 7617: it may be right. */
export function isInOtherEncoding(header: string): boolean {
  const text = basicText(header);
  return text !== undefined && !isUtf8(text);
}

function basicText(header: string): Buffer | undefined {
  const [, base64] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** Compares credentials in constant time. */
export function sameCredentials(a: Credentials, b: Credentials): boolean {
  const text = ({ username, password }: Credentials) => `${username.length}:${username}${password}`;
  return isSameSecret(text(a), text(b));
}
