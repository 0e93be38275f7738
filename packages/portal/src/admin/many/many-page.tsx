/** The page for bulk actions: choose users and an action, preview, run, and report. */
import { Button } from '../../kit/button.tsx';
import { download } from '../../kit/download.ts';
import { Badge, Card, Notice } from '../../kit/show.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { manyTexts } from '../../texts/many/index.ts';
import { type Translate, useTexts } from '../../texts/text.ts';
import { countOf, type Job, type Line, reportOf } from './job.ts';
import { Preparation } from './preparation.tsx';
import { useWork } from './work.ts';

export function ManyPage() {
  const t = useTexts(manyTexts);
  const work = useWork({ unknown: t('unknownUser'), passwordGone: t('passwordGone') });
  return (
    <div className="stack">
      <div className="stack-tight">
        <h1>{t('title')}</h1>
        <p className="soft">{t('intro')}</p>
      </div>
      {work.job ? <Work work={work} job={work.job} /> : <Preparation onStart={work.start} />}
    </div>
  );
}

interface WorkProps {
  readonly work: ReturnType<typeof useWork>;
  readonly job: Job;
}

function Work({ work, job }: WorkProps) {
  const t = useTexts(manyTexts);
  const [all, left, failed] = [job.lines.length, countOf(job, 'waiting'), countOf(job, 'failed')];
  const names = { waiting: t('waiting'), done: t('done'), failed: t('failed') };
  const save = () =>
    download('report.csv', reportOf(job, [t('user'), t('state'), t('why')], names), 'text/csv;charset=utf-8');
  return (
    <Card
      title={t(job.act)}
      actions={
        <>
          {work.isRunning && (
            <Button size="small" onPress={work.pause}>
              {t('pause')}
            </Button>
          )}
          {!work.isRunning && left > 0 && (
            <Button size="small" variant="primary" onPress={work.resume}>
              {t('resume')}
            </Button>
          )}
          <Button size="small" onPress={save}>
            {t('report')}
          </Button>
          {!work.isRunning && (
            <Button size="small" variant="quiet" onPress={work.forget}>
              {t('newWork')}
            </Button>
          )}
        </>
      }
    >
      <progress className="progress" aria-label={t(job.act)} value={all - left} max={all} />
      <p role="status">{t('progress', { done: all - left, all, failed })}</p>
      {!work.isRunning && left > 0 && <Notice tone="warn">{t('held', { count: left })}</Notice>}
      <Table
        label={t('lines')}
        columns={columnsOf(t)}
        rows={ordered(job.lines)}
        keyOf={({ key }) => key}
        empty={t('noLines')}
      />
    </Card>
  );
}

type Row = Line & { readonly key: string };

/** Orders lines: failed ones first. */
function ordered(lines: readonly Line[]): readonly Row[] {
  const rows = lines.map((line, index) => ({ ...line, key: `${index} ${line.values.user}` }));
  return [
    ...rows.filter(({ state }) => state === 'failed'),
    ...rows.filter(({ state }) => state !== 'failed'),
  ];
}

const tones = { waiting: 'plain', done: 'good', failed: 'bad' } as const;

const columnsOf = (t: Translate<keyof typeof manyTexts.en>): readonly Column<Row>[] => [
  { id: 'user', name: t('user'), cell: ({ values }) => <span className="break">{values.user}</span> },
  { id: 'state', name: t('state'), cell: ({ state }) => <Badge tone={tones[state]}>{t(state)}</Badge> },
  { id: 'words', name: t('why'), cell: ({ words }) => <span className="break">{words}</span> },
];
