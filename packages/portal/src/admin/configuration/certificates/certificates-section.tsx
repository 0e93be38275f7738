/** Certificates of people, administrators and calling systems: listed, revoked, and issued with a key made here. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { momentOf } from '../../../api/moment.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Field, Select } from '../../../kit/field.tsx';
import { Badge, Card, Moment, type Tone } from '../../../kit/show.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { useAction } from '../../../shell/action.ts';
import { Read } from '../../../shell/read.tsx';
import { useSession } from '../../../shell/session.tsx';
import { configurationTexts } from '../../../texts/configuration/index.ts';
import { type Translate, useTexts } from '../../../texts/text.ts';
import { SearchForm } from '../search-form.tsx';
import { IssueCard } from './issue-card.tsx';
import { type CertificateOwner, subjectMethods } from './owner.ts';
import { useOwnerRights } from './owner-rights.ts';

export function CertificatesSection() {
  const t = useTexts(configurationTexts);
  const [owner, setOwner] = useState<CertificateOwner>();
  const may = useOwnerRights(owner);
  return (
    <>
      <Card title={t('certificates')}>
        <OwnerForm onFind={setOwner} />
        {owner && <Certificates owner={owner} mayRevoke={may('Revoke_Certificate')} />}
      </Card>
      {owner && may('Sign_certificate_Request', ...subjectMethods(owner)) && (
        <IssueCard key={`${owner.kind} ${owner.name}`} owner={owner} />
      )}
    </>
  );
}

function OwnerForm({ onFind }: { readonly onFind: (owner: CertificateOwner) => void }) {
  const t = useTexts(configurationTexts);
  const { check } = useSession();
  const [kind, setKind] = useState<CertificateOwner['kind']>(check.isSuper ? 'client' : 'user');
  const [name, setName] = useState('');
  const search = () => {
    if (name.trim() !== '') onFind({ kind, name: name.trim() });
  };
  const kinds = check.isSuper ? (['client', 'user', 'administrator'] as const) : (['user'] as const);
  const names = { client: t('ofClient'), user: t('ofUser'), administrator: t('ofAdministrator') };
  return (
    <SearchForm onSearch={search}>
      <Select
        label={t('holder')}
        value={kind}
        onChange={(id) => setKind(kinds.find((one) => one === id) ?? 'user')}
        choices={kinds.map((id) => ({ id, name: names[id] }))}
      />
      <Field
        label={t(kind === 'client' ? 'clientName' : 'dnOrName')}
        value={name}
        onChange={setName}
        autoFocus
      />
    </SearchForm>
  );
}

interface Certificate {
  readonly serial: string;
  readonly subject: string;
  readonly issued: string;
  readonly not_after: string;
  readonly status: 'valid' | 'expired' | 'revoked';
}

interface CertificatesProps {
  readonly owner: CertificateOwner;
  readonly mayRevoke: boolean;
}

function Certificates({ owner: { kind, name }, mayRevoke }: CertificatesProps) {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [leaving, setLeaving] = useState<Certificate>();
  const found = useQuery({
    queryKey: ['List_Certificates', kind, name],
    queryFn: () => manager.List_Certificates(kind === 'client' ? { client: name } : { dn: name }),
  });
  const revoke = useAction({
    run: (serial: string) => manager.Revoke_Certificate({ serial }),
    done: () => t('revokedNow'),
    changes: [['List_Certificates']],
    after: () => setLeaving(undefined),
  });
  const onRevoke = mayRevoke ? setLeaving : undefined;
  return (
    <>
      <Read query={found}>
        {(all) => (
          <Table
            label={t('certificateList')}
            columns={columnsOf(t, onRevoke)}
            rows={all}
            keyOf={({ serial }) => serial}
            empty={t('noCertificates')}
          />
        )}
      </Read>
      <Confirm
        title={t('revokeTitle')}
        lost={leaving ? [t('lostCertificate', { subject: leaving.subject })] : []}
        act={t('revoke')}
        isOpen={leaving !== undefined}
        isPending={revoke.isPending}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => leaving && revoke.mutate(leaving.serial)}
      />
    </>
  );
}

const tones: Readonly<Record<Certificate['status'], Tone>> = {
  valid: 'good',
  expired: 'plain',
  revoked: 'bad',
};

const columnsOf = (
  t: Translate<keyof typeof configurationTexts.en>,
  onRevoke: ((certificate: Certificate) => void) | undefined,
): readonly Column<Certificate>[] => [
  { id: 'subject', name: t('subject'), cell: ({ subject }) => <span className="break">{subject}</span> },
  { id: 'status', name: t('state'), cell: ({ status }) => <Badge tone={tones[status]}>{t(status)}</Badge> },
  { id: 'issued', name: t('issued'), cell: ({ issued }) => <Moment at={momentOf(issued)} /> },
  { id: 'until', name: t('validUntil'), cell: (one) => <Moment at={momentOf(one.not_after)} /> },
  { id: 'serial', name: t('serial'), cell: ({ serial }) => <code className="break">{serial}</code> },
  ...(onRevoke ? [revokeColumn(t, onRevoke)] : []),
];

const revokeColumn = (
  t: Translate<keyof typeof configurationTexts.en>,
  onRevoke: (certificate: Certificate) => void,
): Column<Certificate> => ({
  id: 'acts',
  name: t('revoke'),
  isNameHidden: true,
  cell: (certificate) =>
    certificate.status === 'valid' && (
      <Button size="small" onPress={() => onRevoke(certificate)}>
        {t('revoke')}
      </Button>
    ),
});
