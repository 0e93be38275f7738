/** The preview of a bulk action: the parsed lines, with the errors of those that are skipped. */
import { Badge, Card, Notice } from '../../kit/show.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { manyTexts } from '../../texts/many/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type ActName, actOf, type Values } from './acts.ts';
import type { problemsOf } from './job.ts';

interface PreviewProps {
  readonly act: ActName;
  readonly rows: readonly Values[];
  readonly problems: ReturnType<typeof problemsOf>;
}

interface Row {
  readonly place: number;
  readonly values: Values;
  readonly problem: PreviewProps['problems'][number];
}

export function Preview({ act, rows, problems }: PreviewProps) {
  const t = useTexts(manyTexts);
  const { needs, may } = actOf(act);
  const all = rows.map((values, index): Row => ({ place: index + 1, values, problem: problems[index] }));
  const bad = all.filter(({ problem }) => problem !== undefined);
  const columns: readonly Column<Row>[] = [
    { id: 'place', name: t('line'), numeric: true, cell: ({ place }) => place },
    {
      id: 'state',
      name: t('state'),
      cell: ({ problem }) =>
        problem ? (
          <Badge tone="bad">{t(problem[0], { field: t(problem[1]) })}</Badge>
        ) : (
          <Badge tone="good">{t('good')}</Badge>
        ),
    },
    ...[...needs, ...may].map((field) => ({
      id: field,
      name: t(field),
      // An onlooker learns no password.
      cell: ({ values }: Row) => (
        <span className="break">{field === 'password' && values.password ? '••••••' : values[field]}</span>
      ),
    })),
  ];
  return (
    <Card title={t('preview')}>
      {bad.length > 0 && <Notice tone="warn">{t('leftOut', { count: bad.length })}</Notice>}
      <Table
        label={t('lines')}
        columns={columns}
        rows={[...bad, ...all.filter(({ problem }) => problem === undefined)]}
        keyOf={({ place }) => String(place)}
        empty={t('noLines')}
      />
    </Card>
  );
}
