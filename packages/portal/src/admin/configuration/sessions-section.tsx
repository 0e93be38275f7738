/** Sessions of this portal on every node, with a button that ends them. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Manager } from '../../api/manager.ts';
import { momentOf } from '../../api/moment.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Badge, Card, Moment } from '../../kit/show.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { useAction } from '../../shell/action.ts';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { type Translate, useTexts } from '../../texts/text.ts';

type AdminSession = Awaited<ReturnType<Manager['Admin_Sessions']>>[number];

export function SessionsSection() {
  const t = useTexts(configurationTexts);
  const { manager, leave } = useSession();
  const [leaving, setLeaving] = useState<AdminSession>();
  const sessions = useQuery({ queryKey: ['Admin_Sessions'], queryFn: () => manager.Admin_Sessions({}) });
  const end = useAction({
    // One's own ends as by the menu: the page goes with it.
    run: async ({ id, own }: AdminSession) => (own ? leave() : manager.End_Admin_Session({ id })),
    done: () => t('endedNow'),
    changes: [['Admin_Sessions']],
    after: () => setLeaving(undefined),
  });
  return (
    <Card title={t('sessions')}>
      <Read query={sessions}>
        {(all) => (
          <Table
            label={t('administrator')}
            columns={columnsOf(t, setLeaving)}
            rows={all}
            keyOf={({ id }) => id}
            empty={t('noSessions')}
          />
        )}
      </Read>
      <Confirm
        title={t('endTitle')}
        lost={[t('lostSession', { name: leaving?.administrator ?? '' })]}
        act={t('endSession')}
        isOpen={leaving !== undefined}
        isPending={end.isPending}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => leaving && end.mutate(leaving)}
      />
    </Card>
  );
}

const columnsOf = (
  t: Translate<keyof typeof configurationTexts.en>,
  onEnd: (session: AdminSession) => void,
): readonly Column<AdminSession>[] => [
  {
    id: 'administrator',
    name: t('administrator'),
    cell: ({ administrator, own }) => (
      <span className="break">
        {administrator} {own && <Badge tone="accent">{t('ownSession')}</Badge>}
      </span>
    ),
  },
  { id: 'address', name: t('eventClient'), cell: ({ address }) => address },
  { id: 'began', name: t('began'), cell: ({ began }) => <Moment at={momentOf(began)} /> },
  { id: 'used', name: t('used'), cell: ({ used }) => <Moment at={momentOf(used)} /> },
  {
    id: 'acts',
    name: t('endSession'),
    isNameHidden: true,
    cell: (session) => (
      <Button size="small" onPress={() => onEnd(session)}>
        {t('endSession')}
      </Button>
    ),
  },
];
