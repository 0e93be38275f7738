/** The factors of one kind, and a button that adds another one. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { freeSlot } from '../../api/slots.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Empty, Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';

interface FactorCardProps<Factor> {
  readonly title: string;
  readonly query: UseQueryResult<readonly Factor[]>;
  /** Said where there is none. */
  readonly none: string;
  /** The button's text; left out where none may be added. */
  readonly add: string | undefined;
  readonly row: (factor: Factor) => ReactNode;
  /** The dialog that adds one, at a slot that is free. */
  readonly adding: (slot: number, close: () => void) => ReactNode;
}

export function FactorCard<Factor extends { readonly id: number }>({
  title,
  query: { data: factors, error, refetch },
  none,
  add,
  row,
  adding,
}: FactorCardProps<Factor>) {
  const [isAdding, setAdding] = useState(false);
  const slot = freeSlot(factors ?? []);
  const button = add !== undefined && slot !== undefined && (
    <Button icon="plus" size="small" onPress={() => setAdding(true)}>
      {add}
    </Button>
  );
  return (
    <Card title={title} actions={button}>
      {error && <Failure error={error} onRetry={refetch} />}
      {!factors && !error && <Skeleton />}
      {factors?.length === 0 && <Empty>{none}</Empty>}
      {factors && factors.length > 0 && <ul className="factor-list">{factors.map(row)}</ul>}
      {isAdding && slot !== undefined && adding(slot, () => setAdding(false))}
    </Card>
  );
}
