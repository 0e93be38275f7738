/** The page token of a paged search: the `next` of a page. */
import { ServiceError } from '@watchword/core/foundation';

/** The position of a paged search. */
export interface PagePosition {
  /** Entries of the pages so far. */
  readonly count: number;
  /** The digest of the last of them. */
  readonly last: string;
}

export const writeToken = ({ count, last }: PagePosition): string => `${count.toString(36)}-${last}`;

/** @throws ServiceError `invalid_params` */
export function readToken(after: string): PagePosition {
  const [, count, last] = after.match(/^([1-9a-z][0-9a-z]{0,7})-([\w-]{16})$/) ?? [];
  if (count === undefined || last === undefined) throw invalidToken();
  return { count: Number.parseInt(count, 36), last };
}

export const invalidToken = (): ServiceError =>
  new ServiceError('invalid_params', { detail: 'that is the end of no page' });
