/** Single sign-on sessions of the user. */

import { useState } from 'react';
import { momentOf } from '../../../api/moment.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Moment } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, useMay, usePerson, usePersonRead } from './person.ts';
import { ReadCard } from './read-card.tsx';

export function SessionsCard() {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const sessions = usePersonRead('Sso.User_Sessions', () => manager.Sso.User_Sessions({ dn }));
  const stop = useAction({
    run: (id: string | undefined) => manager.Sso.Session_Stop({ dn, ...(id !== undefined && { id }) }),
    done: (_, count) => t('sessionsEnded', { count: Number(count) }),
    changes: [personKey(dn)],
    after: () => setAsking(false),
  });
  const mayStop = may('Sso.Session_Stop');
  const count = sessions.data?.length ?? 0;
  const actions = mayStop && count > 0 && (
    <Button size="small" onPress={() => setAsking(true)}>
      {t('endAll')}
    </Button>
  );
  return (
    <ReadCard title={t('sessions')} query={sessions} actions={actions}>
      {(rows) => (
        <>
          <Table
            label={t('sessions')}
            rows={rows}
            keyOf={({ id }) => id}
            empty={t('noSessions')}
            columns={[
              { id: 'begun', name: t('begun'), cell: ({ begun }) => <Moment at={momentOf(begun)} /> },
              {
                id: 'client',
                name: t('application'),
                cell: ({ client, source }) => [client, source].filter(Boolean).join(' · '),
              },
              {
                id: 'acts',
                name: t('endSession'),
                isNameHidden: true,
                cell: ({ id }) =>
                  mayStop && (
                    <Button size="small" variant="quiet" onPress={() => stop.mutate(id)}>
                      {t('endSession')}
                    </Button>
                  ),
              },
            ]}
          />
          <Confirm
            title={t('endAllTitle')}
            lost={[t('lostSessions', { count })]}
            act={t('endAll')}
            isOpen={isAsking}
            isPending={stop.isPending}
            onConfirm={() => stop.mutate(undefined)}
            onClose={() => setAsking(false)}
          />
        </>
      )}
    </ReadCard>
  );
}
