/** Shows the state of a query: its result, its error, or that it is loading. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from '../kit/show.tsx';
import { Failure } from './failure.tsx';

interface ReadProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

export function Read<Data>({ query, lines = 3, children }: ReadProps<Data>) {
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return query.data === undefined ? <Skeleton lines={lines} /> : children(query.data);
}
