/** The server processes that share the store, and when each was last seen. */
import { useQuery } from '@tanstack/react-query';
import { momentOf } from '../../api/moment.ts';
import { Badge, Card, Moment } from '../../kit/show.tsx';
import { Table } from '../../kit/table.tsx';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';

/** Milliseconds: as often as a node tells that it runs. */
const often = 30_000;

export function NodesCard() {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const nodes = useQuery({
    queryKey: ['List_Nodes'],
    queryFn: () => manager.List_Nodes({}),
    refetchInterval: often,
  });
  return (
    <Card title={t('nodes')}>
      <Read query={nodes}>
        {(all) => (
          <Table
            label={t('nodes')}
            rows={all}
            keyOf={({ name, server, started }) => `${name} ${server} ${started}`}
            empty={t('down')}
            columns={[
              { id: 'name', name: t('node'), cell: ({ name }) => name },
              { id: 'server', name: t('server'), cell: ({ server }) => server },
              { id: 'version', name: t('version'), cell: ({ version }) => version },
              { id: 'started', name: t('started'), cell: ({ started }) => <Moment at={momentOf(started)} /> },
              {
                id: 'certificates',
                name: t('certificateEnds'),
                cell: ({ certificates }) =>
                  certificates.map(({ listener, subject, end }) => (
                    <CertificateEnd
                      key={listener}
                      listener={listener}
                      subject={subject}
                      end={momentOf(end)}
                    />
                  )),
              },
              { id: 'seen', name: t('seen'), cell: ({ seen }) => <Moment at={momentOf(seen)} /> },
            ]}
          />
        )}
      </Read>
    </Card>
  );
}

/** Days before the end of a certificate from which it is shown as a warning. */
const warningDays = 30;

function CertificateEnd({
  listener,
  subject,
  end,
}: {
  readonly listener: string;
  readonly subject: string;
  readonly end: Date;
}) {
  const left = end.getTime() - Date.now();
  const tone = left <= 0 ? 'bad' : left <= warningDays * 86_400_000 ? 'warn' : 'plain';
  return (
    <div>
      {listener}: {subject}{' '}
      <Badge tone={tone}>
        <Moment at={end} />
      </Badge>
    </div>
  );
}
