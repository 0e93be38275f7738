/** A card with the result of a query: hidden without rights, a placeholder while loading, and a retry after an error. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card, Skeleton } from '../../../kit/show.tsx';
import { Failure } from '../../../shell/failure.tsx';

interface ReadCardProps<Result> {
  readonly title: string;
  readonly query: UseQueryResult<Result>;
  readonly actions?: ReactNode;
  readonly children: (result: Result) => ReactNode;
}

export function ReadCard<Result>({ title, query, actions, children }: ReadCardProps<Result>) {
  if (query.isPending && query.fetchStatus === 'idle') return null;
  return (
    <Card title={title} actions={actions}>
      <Reading query={query}>{children}</Reading>
    </Card>
  );
}

export function Reading<Result>({ query, children }: Pick<ReadCardProps<Result>, 'query' | 'children'>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return query.fetchStatus === 'idle' ? null : <Skeleton />;
}
