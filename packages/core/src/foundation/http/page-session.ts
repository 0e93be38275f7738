/**
 * Sessions of pages of ours: what is asked of a request that a page sends, beside its cookie, so that no page of another site
 * sends one in its place.
 */
import { hash } from 'node:crypto';
import { isReason, type ServiceError } from '../errors/errors.ts';
import { isSameSecret } from '../text/secret/same-secret.ts';
import type { WebAnswer, WebRequest } from './http.ts';

/** The header that carries the token. */
export const csrfHeader = 'x-csrf-token';

/** What a page has to show beside the cookie, which it cannot read. @param cookie a secret of 128 bits */
export const csrfToken = (cookie: string): string => hash('sha256', `csrf:${cookie}`);

/** The request shows the token of its session: a page of ours has sent it. */
export function hasToken({ headers }: Pick<WebRequest, 'headers'>, cookie: string): boolean {
  const shown = headers.get(csrfHeader);
  return shown !== null && isSameSecret(shown, csrfToken(cookie));
}

/**
 * A browser sends it for a page of another origin. Browsers of before 2023 tell only the origin; programs tell nothing.
 * @param own origins that the server is known by, where a proxy hides them
 */
export function isFromElsewhere(
  { headers, url }: Pick<WebRequest, 'headers' | 'url'>,
  own: readonly string[],
): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && origin !== url.origin && !own.includes(origin);
}

/** What every answer says that is about a session: nobody keeps it, and it is nothing but what it says it is. */
export const sessionHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** An answer in JSON to a page of ours. @param cookies each a header `Set-Cookie` */
export const pageAnswer = (
  status: number,
  body: object,
  { headers = {}, cookies = [] }: Partial<Pick<WebAnswer, 'headers' | 'cookies'>> = {},
): WebAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...sessionHeaders, ...headers },
  cookies,
  body: JSON.stringify(body),
});

/** The `Set-Cookie` of a session; of none, which takes it away. @param path below which it is sent */
export const sessionCookieHeader = (name: string, value: string | undefined, path: string): string =>
  `${name}=${value ?? ''}; Path=${path}; Secure; HttpOnly; SameSite=Strict${value === undefined ? '; Max-Age=0' : ''}`;

/** For pages: a status that says what to do, a reason to go by, and a sentence to show. */
export function refusalAnswer(error: ServiceError): WebAnswer {
  const { reason, message, retryAfter } = error;
  const after = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return pageAnswer(
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
