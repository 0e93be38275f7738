/** The one way in which a search is asked for, RFC 4511 §4.5.1. */
import { type PagedResultsControl, SearchRequest } from 'ldapts';
import type { SearchRequest as Search } from '../../../directory/directory.ts';
import type { Connection } from '../connection/connection.ts';
import { wireFilter } from './filters.ts';

interface Asked extends Pick<Search, 'scope' | 'filter'> {
  /** A DN as the server wants it. */
  readonly base: string;
  /** Names as the server wants them. */
  readonly attributes: readonly string[];
  /** Left out: the server's own limit. */
  readonly sizeLimit?: number | undefined;
  readonly page?: PagedResultsControl | undefined;
}

/** Aliases are not followed, and the server may take as long as the connection waits. */
export function searchRequest({ timeout }: Connection, asked: Asked): SearchRequest {
  const { base, scope, filter, attributes, sizeLimit = 0, page } = asked;
  return new SearchRequest({
    messageId: 0,
    baseDN: base,
    scope,
    derefAliases: 'never',
    timeLimit: Math.ceil(timeout / 1000),
    sizeLimit,
    filter: wireFilter(filter),
    attributes: [...attributes],
    ...(page && { controls: [page] }),
  });
}
