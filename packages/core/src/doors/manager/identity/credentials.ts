/** Credentials of administrators, as a request to the Manager presents them: parses the Authorization header and compares them. */
import { isUtf8 } from 'node:buffer';
import type { PeerCertificate } from '../../../foundation/http/http.ts';
import { isSameSecret } from '../../../foundation/text/secret/same-secret.ts';

export interface Credentials {
  /** A DN in the authentication mode DN; `user` or `Domain\user` in mode UID; either, or empty, in mode PKI. */
  readonly username: string;
  readonly password: string;
}

/** Credentials and the client certificate of the connection, which is used in mode PKI only. */
export interface PresentedCredentials extends Credentials {
  readonly certificate?: PeerCertificate | undefined;
}

/** Parses an `Authorization: Basic` header, RFC 7617 in UTF-8; undefined if it is malformed or of another scheme. */
export function basicCredentials(header: string): Credentials | undefined {
  const text = basicText(header);
  const colon = text?.indexOf(':') ?? -1;
  if (!text || colon < 0 || !isUtf8(text)) return undefined;
  return { username: text.toString('utf8', 0, colon), password: text.toString('utf8', colon + 1) };
}

/** Returns whether a Basic header is in another encoding than UTF-8, as of a program older than RFC 7617: the password in it may be right. */
export function isNotUtf8(header: string): boolean {
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
