/** A table; of a long one, only visible rows are rendered. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useState } from 'react';
import { Empty } from './show.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Hides the name of a column of boxes or buttons; screen readers still get it. */
  readonly isNameHidden?: boolean;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The text of an empty table. */
  readonly empty: string;
}

/** Rows from which invisible ones are left out. */
const many = 100;
/** Without a mouse, the arrows scroll it. No landmark: it is named as the card around it, often enough. */
const scrolled = { tabIndex: 0, role: 'group' } as const;
/** Pixels. */
const usualHeight = 44;

export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  // Held as state: the counter of the rows in sight learns when it is there.
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  const body = { columns, rows, keyOf };
  return (
    <section ref={setFrame} className="table-frame" aria-label={label} {...scrolled}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ id, name, numeric, isNameHidden }) => (
              <th key={id} scope="col" className={numeric ? 'numeric' : undefined}>
                {isNameHidden ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        {rows.length < many ? <AllRows {...body} /> : <RowsInSight {...body} frame={frame} />}
      </table>
    </section>
  );
}

type BodyProps<Row> = Pick<TableProps<Row>, 'columns' | 'rows' | 'keyOf'>;

function AllRows<Row>({ columns, rows, keyOf }: BodyProps<Row>) {
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          <Cells columns={columns} row={row} />
        </tr>
      ))}
    </tbody>
  );
}

function RowsInSight<Row>({
  columns,
  rows,
  keyOf,
  frame,
}: BodyProps<Row> & { readonly frame: HTMLElement | null }) {
  const sight = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame,
    estimateSize: () => usualHeight,
    overscan: 20,
  });
  const shown = sight.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = sight.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <tbody>
      <Gap height={above} width={columns.length} />
      {shown.map(({ index }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <tr key={keyOf(row)} ref={sight.measureElement} data-index={index} aria-rowindex={index + 2}>
            <Cells columns={columns} row={row} />
          </tr>
        );
      })}
      <Gap height={below} width={columns.length} />
    </tbody>
  );
}

function Gap({ height, width }: { readonly height: number; readonly width: number }) {
  return height <= 0 ? null : (
    <tr>
      <td className="table-gap" colSpan={width} style={{ height }} />
    </tr>
  );
}

function Cells<Row>({ columns, row }: { readonly columns: readonly Column<Row>[]; readonly row: Row }) {
  return columns.map(({ id, cell, numeric }) => (
    <td key={id} className={numeric ? 'numeric' : undefined}>
      {cell(row)}
    </td>
  ));
}
