/** What a page of ours sends to sign somebody in: JSON, in texts. */
import { ServiceError } from '../errors/errors.ts';
import { parseMembers } from '../text/json.ts';
import type { WebRequest } from './http.ts';

/** All that may be shown; what is left out is not there. */
export type ShownFields = { readonly [Name in (typeof fields)[number]]?: string };

const fields = ['username', 'domain', 'password', 'otp', 'session', 'u2fResponse'] as const;

/** In bytes: what a security key signs is the longest, and has some thousand. */
const longestBody = 16_384;

/** @throws ServiceError `invalid_request`, `parse_error`, `too_large`; `invalid_params` naming the field */
export async function readShown({
  headers,
  body,
}: Pick<WebRequest, 'headers' | 'body'>): Promise<ShownFields> {
  // No form of another site can say so without asking first.
  if (!/^application\/json *(?:;|$)/i.test(headers.get('content-type') ?? ''))
    throw new ServiceError('invalid_request', { detail: 'the content type is not application/json' });
  const members = parseMembers(await body(longestBody), 2);
  for (const [name, value] of members) {
    if (!fields.some((known) => known === name)) throw wrong(name, 'is not known');
    if (typeof value !== 'string') throw wrong(name, 'is no text');
  }
  return Object.fromEntries(members.filter(([, value]) => value !== ''));
}

const wrong = (name: string, what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${name.slice(0, 64)} ${what}` });
