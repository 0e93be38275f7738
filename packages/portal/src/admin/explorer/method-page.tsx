/** The page of one method: parameters, result, errors, and a form that calls it. */
import { Badge, Card, Notice } from '../../kit/show.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { useSession } from '../../shell/session.tsx';
import { explorerTexts } from '../../texts/explorer/index.ts';
import { useTexts } from '../../texts/text.ts';
import { CallForm } from './call-form.tsx';
import {
  type ErrorDescription,
  errorsOf,
  isMutating,
  type MethodDescription,
  type OpenRpc,
} from './open-rpc.ts';
import type { CollectedCalls } from './samples.tsx';

interface MethodPageProps {
  readonly method: MethodDescription;
  readonly description: OpenRpc;
  readonly batch: CollectedCalls;
}

export function MethodPage({ method, description, batch }: MethodPageProps) {
  const t = useTexts(explorerTexts);
  const { rights } = useSession();
  const writes = isMutating(method);
  const isOfSelf = method.tags.some(({ name }) => name === 'self');
  const access = writes ? t('writes') : t(isOfSelf ? 'ofSelf' : 'reads');
  return (
    <>
      <Card title={method.name} actions={<Badge tone={writes ? 'warn' : 'accent'}>{access}</Badge>}>
        <p lang="en">{method.summary}</p>
        {!isOfSelf && !rights.may(method.name) && <Notice tone="warn">{t('noRight')}</Notice>}
        <Parameters method={method} />
        <p>
          <strong>{t('result')}:</strong>{' '}
          <span lang="en">{method.result.schema.description ?? resultType(method)}</span>
        </p>
        <details>
          <summary>{t('errors')}</summary>
          <Errors errors={errorsOf(method, description)} />
        </details>
      </Card>
      <CallForm
        method={method}
        url={description.servers[0]?.url ?? ''}
        batch={batch}
        mayBeDry={isMutating(method) && description['x-dry-run'] === true}
      />
    </>
  );
}

function resultType({ result: { schema } }: MethodDescription): string {
  const { title, type = [] } = schema;
  return title ?? [type].flat().join(', ');
}

function Parameters({ method: { params } }: { readonly method: MethodDescription }) {
  const t = useTexts(explorerTexts);
  if (params.length === 0) return <p className="soft">{t('noParameters')}</p>;
  return (
    <section className="stack-tight" aria-label={t('parameters')}>
      <h3>{t('parameters')}</h3>
      <dl className="facts">
        {params.map(({ name, required, schema, description }) => (
          <div key={name} className="facts-row">
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              {schema.title} {required && <Badge>{t('required')}</Badge>}
              {description && (
                <span className="soft" lang="en">
                  {' '}
                  {description}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Errors({ errors }: { readonly errors: readonly ErrorDescription[] }) {
  const t = useTexts(explorerTexts);
  const rows = errors.flatMap(({ code, data }) => data.map((each) => ({ code, ...each })));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { id: 'code', name: t('errorCode'), numeric: true, cell: ({ code }) => code },
    { id: 'reason', name: t('errorReason'), cell: ({ reason }) => <code>{reason}</code> },
    { id: 'message', name: t('errorMessage'), cell: ({ message }) => <span lang="en">{message}</span> },
  ];
  return <Table label={t('errors')} columns={columns} rows={rows} keyOf={({ reason }) => reason} empty="" />;
}
