/** The certificates that were issued to a user. */

import { useState } from 'react';
import { momentOf } from '../../../api/moment.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Badge, Moment, type Tone } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, useMay, usePerson, usePersonRead } from './person.ts';
import { ReadCard } from './read-card.tsx';

const tones: Readonly<Record<'valid' | 'expired' | 'revoked', Tone>> = {
  valid: 'good',
  expired: 'warn',
  revoked: 'bad',
};

export function CertificatesCard() {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [asked, setAsked] = useState<string>();
  const certificates = usePersonRead('List_Certificates', () => manager.List_Certificates({ dn }));
  const revoke = useAction({
    run: (serial: string) => manager.Revoke_Certificate({ serial }),
    done: () => t('certificateRevoked'),
    changes: [personKey(dn)],
    after: () => setAsked(undefined),
  });
  const mayRevoke = may('Revoke_Certificate');
  return (
    <ReadCard title={t('certificates')} query={certificates}>
      {(rows) => (
        <>
          <Table
            label={t('certificates')}
            rows={rows}
            keyOf={({ serial }) => serial}
            empty={t('noCertificates')}
            columns={[
              {
                id: 'serial',
                name: t('serialNumber'),
                cell: ({ serial }) => <code className="break">{serial}</code>,
              },
              {
                id: 'until',
                name: t('validUntil'),
                cell: ({ not_after }) => <Moment at={momentOf(not_after)} />,
              },
              {
                id: 'status',
                name: t('status'),
                cell: ({ status }) => <Badge tone={tones[status]}>{t(status)}</Badge>,
              },
              {
                id: 'acts',
                name: t('revoke'),
                isNameHidden: true,
                cell: ({ serial, status }) =>
                  mayRevoke &&
                  status === 'valid' && (
                    <Button size="small" variant="quiet" onPress={() => setAsked(serial)}>
                      {t('revoke')}
                    </Button>
                  ),
              },
            ]}
          />
          <Confirm
            title={t('revokeTitle')}
            lost={[t('lostCertificate', { serial: asked ?? '' })]}
            act={t('revoke')}
            isOpen={asked !== undefined}
            isPending={revoke.isPending}
            onConfirm={() => asked !== undefined && revoke.mutate(asked)}
            onClose={() => setAsked(undefined)}
          />
        </>
      )}
    </ReadCard>
  );
}
