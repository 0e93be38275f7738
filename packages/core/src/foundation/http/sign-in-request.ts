/** The request of a sign-in page of ours: a JSON object of strings. */
import { ServiceError } from '../errors/errors.ts';
import { parseMembers } from '../text/json.ts';
import type { WebRequest } from './http.ts';

/** The credentials in a request; empty fields are left out. */
export type ShownFields = { readonly [Name in (typeof fields)[number]]?: string };

const fields = ['username', 'domain', 'password', 'otp', 'session', 'u2fResponse'] as const;

/** Bytes. The longest field is the signature of a security key. */
const longestBody = 16_384;

/** Reads the credentials. @throws ServiceError `invalid_request`, `parse_error`, `too_large`; `invalid_params` naming the field */
export async function readShown({
  headers,
  body,
}: Pick<WebRequest, 'headers' | 'body'>): Promise<ShownFields> {
  // A form of another origin cannot send this type without a preflight.
  if (!/^application\/json *(?:;|$)/i.test(headers.get('content-type') ?? ''))
    throw new ServiceError('invalid_request', { detail: 'the content type is not application/json' });
  const members = parseMembers(await body(longestBody), 2);
  for (const [name, value] of members) {
    if (!fields.some((known) => known === name)) throw wrong(name, 'is not known');
    if (typeof value !== 'string') throw wrong(name, 'is not a text');
  }
  return Object.fromEntries(members.filter(([, value]) => value !== ''));
}

const wrong = (name: string, what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${name.slice(0, 64)} ${what}` });
