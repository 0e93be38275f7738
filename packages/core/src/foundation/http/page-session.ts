/**
 * Sessions of our pages: cookies, and CSRF tokens that show that a request comes from a page of ours.
 */
import { hash } from 'node:crypto';
import { isReason, type ServiceError } from '../errors/errors.ts';
import { isSameSecret } from '../text/secret/same-secret.ts';
import type { WebRequest, WebResponse } from './http.ts';

export const csrfHeader = 'x-csrf-token';

/** Derives the CSRF token of a session from its cookie, which scripts cannot read. @param cookie a secret of 128 bits */
export const csrfToken = (cookie: string): string => hash('sha256', `csrf:${cookie}`);

/** Returns whether a request has the CSRF token of its session, as requests of our pages have. */
export function hasToken({ headers }: Pick<WebRequest, 'headers'>, cookie: string): boolean {
  const shown = headers.get(csrfHeader);
  return shown !== null && isSameSecret(shown, csrfToken(cookie));
}

/**
 * Returns whether a browser sent a request for a page of another origin. Old browsers send only `Origin`, and programs neither header.
 * @param own origins of the server that a proxy hides
 */
export function isCrossOrigin(
  { headers, url }: Pick<WebRequest, 'headers' | 'url'>,
  own: readonly string[],
): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && origin !== url.origin && !own.includes(origin);
}

/** Headers of every answer in a session: no caching, no sniffing, no referrer. */
export const sessionHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Makes an answer in JSON to a page of ours. @param cookies values of `Set-Cookie` */
export const pageResponse = (
  status: number,
  body: object,
  { headers = {}, cookies = [] }: Partial<Pick<WebResponse, 'headers' | 'cookies'>> = {},
): WebResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...sessionHeaders, ...headers },
  cookies,
  body: JSON.stringify(body),
});

/** Returns the `Set-Cookie` of a session. @param value undefined deletes the cookie @param path prefix of the paths that get the cookie */
export const sessionCookieHeader = (name: string, value: string | undefined, path: string): string =>
  `${name}=${value ?? ''}; Path=${path}; Secure; HttpOnly; SameSite=Strict${value === undefined ? '; Max-Age=0' : ''}`;

/** Makes the answer to a page for an error: a status, the reason for code, and a message for people. */
export function refusalResponse(error: ServiceError): WebResponse {
  const { reason, message, retryAfter } = error;
  const after = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return pageResponse(
    statusOf(error),
    { reason, message, ...(retryAfter !== undefined && { retryAfter }) },
    { headers: after },
  );
}

function statusOf(error: ServiceError): number {
  if (isReason(error, 'credentials_refused', 'too_many_attempts', 'not_found')) return 401;
  if (isReason(error, 'permission_denied', 'client_refused')) return 403;
  if (isReason(error, 'too_large')) return 413;
  if (isReason(error, 'unavailable')) return 503;
  return isReason(error, 'internal') ? 500 : 400;
}
