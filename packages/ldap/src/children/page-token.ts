/**
 * Page tokens for children that an LDAP server pages (RFC 2696): the `next` of one page, and the `after` of the next request. A token
 * encodes a position, as the cookie of LDAP is good on its own connection only.
 */
import { ServiceError } from '@watchword/core/foundation';

/** The position after a page. */
export interface PagePosition {
  /** The number of entries in all pages so far. */
  readonly count: number;
  /** The digest of the last entry, to notice that entries were added or removed before it. */
  readonly last: string;
}

/** Encodes a position as `count-last`, with the count in base 36. */
export const encodePageToken = ({ count, last }: PagePosition): string => `${count.toString(36)}-${last}`;

/** Decodes a page token. @throws ServiceError `invalid_params` if it is malformed */
export function decodePageToken(token: string): PagePosition {
  const [, count, last] = token.match(/^([1-9a-z][0-9a-z]{0,7})-([\w-]{16})$/) ?? [];
  if (count === undefined || last === undefined) throw invalidPageToken();
  return { count: Number.parseInt(count, 36), last };
}

/** Makes the error for a token that is malformed, or whose position is no longer found. */
export const invalidPageToken = (): ServiceError =>
  new ServiceError('invalid_params', { detail: 'unknown or malformed page token' });
