/** Where a paged search is: what the `next` of its page says. */
import { ServiceError } from '@watchword/core/foundation';

/** How many came before, and a mark of the last of them. */
export interface Place {
  readonly count: number;
  readonly last: string;
}

export const writePlace = ({ count, last }: Place): string => `${count.toString(36)}-${last}`;

/** @throws ServiceError `invalid_params` */
export function readPlace(after: string): Place {
  const [, count, last] = after.match(/^([1-9a-z][0-9a-z]{0,7})-([\w-]{16})$/) ?? [];
  if (count === undefined || last === undefined) throw noPage();
  return { count: Number.parseInt(count, 36), last };
}

export const noPage = (): ServiceError =>
  new ServiceError('invalid_params', { detail: 'that is the end of no page' });
