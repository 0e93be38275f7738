/** The API keys of calling systems, of the file and of run time: those of run time are made, renewed and revoked here. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { momentOf } from '../../api/moment.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Badge, Card, Moment } from '../../kit/show.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { useAction } from '../../shell/action.ts';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { type Translate, useTexts } from '../../texts/text.ts';
import { type ApiKey, changedByKeys, MakeKeyForm, RenewKeyForm } from './key-forms.tsx';

export function KeysSection() {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [isMaking, setMaking] = useState(false);
  const [renewed, setRenewed] = useState<ApiKey>();
  const [doomed, setDoomed] = useState<ApiKey>();
  const keys = useQuery({ queryKey: ['List_API_Keys'], queryFn: () => manager.List_API_Keys({}) });
  const revoke = useAction({
    run: ({ id }: ApiKey) => manager.Revoke_API_Key({ id: Number(id) }),
    done: ({ id }) => t('keyRevoked', { id }),
    changes: changedByKeys,
    after: () => setDoomed(undefined),
  });
  return (
    <Card
      title={t('apiKeys')}
      actions={
        <Button size="small" onPress={() => setMaking(true)}>
          {t('makeKey')}
        </Button>
      }
    >
      <Read query={keys}>
        {(found) => (
          <Table
            label={t('apiKeyList')}
            rows={found}
            keyOf={({ id }) => id}
            empty={t('noApiKeys')}
            columns={columnsOf(t, { onRenew: setRenewed, onRevoke: setDoomed })}
          />
        )}
      </Read>
      <Dialog title={t('makeKey')} isOpen={isMaking} onClose={() => setMaking(false)}>
        <MakeKeyForm onClose={() => setMaking(false)} />
      </Dialog>
      {renewed && (
        <Dialog title={t('renewTitle', { id: renewed.id })} isOpen onClose={() => setRenewed(undefined)}>
          <RenewKeyForm id={renewed.id} onClose={() => setRenewed(undefined)} />
        </Dialog>
      )}
      <Confirm
        title={t('revokeKeyTitle', { id: doomed?.id ?? '' })}
        lost={[t('lostKey', { owner: doomed?.owner ?? '–' })]}
        act={t('revoke')}
        isOpen={doomed !== undefined}
        isPending={revoke.isPending}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => doomed && revoke.mutate(doomed)}
      />
    </Card>
  );
}

interface Acts {
  readonly onRenew: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

const columnsOf = (
  t: Translate<keyof typeof configurationTexts.en>,
  { onRenew, onRevoke }: Acts,
): readonly Column<ApiKey>[] => [
  { id: 'id', name: t('apiKey'), cell: ({ id }) => id },
  { id: 'owner', name: t('keyOwner'), cell: ({ owner }) => <span className="break">{owner ?? '–'}</span> },
  {
    id: 'services',
    name: t('keyOpens'),
    cell: ({ services }) => services?.join(', ') ?? t('keyOpensAll'),
  },
  { id: 'clients', name: t('keyGoodFrom'), cell: ({ clients }) => clients.join(', ') || t('everywhere') },
  { id: 'client', name: t('keyClient'), cell: ({ client }) => client ?? t('keyAnyClient') },
  { id: 'end', name: t('validUntil'), cell: (key) => <End {...{ t, apiKey: key }} /> },
  {
    id: 'used',
    name: t('keyUsed'),
    cell: ({ last_used: used }) =>
      used ? (
        <>
          <Moment at={momentOf(used.time)} /> <span className="soft">{used.address}</span>
        </>
      ) : (
        '–'
      ),
  },
  {
    id: 'layer',
    name: t('keyLayer'),
    cell: ({ layer, at }) =>
      layer === 'runtime' ? (
        t('layerRuntime')
      ) : (
        <>
          {t('layerFile')} <code>{at}</code>
        </>
      ),
  },
  {
    id: 'acts',
    name: t('keyActs'),
    isNameHidden: true,
    cell: (key) =>
      key.layer === 'runtime' && (
        <div className="row">
          <Button size="small" onPress={() => onRenew(key)}>
            {t('renewKey')}
          </Button>
          <Button size="small" onPress={() => onRevoke(key)}>
            {t('revoke')}
          </Button>
        </div>
      ),
  },
];

interface EndProps {
  readonly t: Translate<keyof typeof configurationTexts.en>;
  readonly apiKey: ApiKey;
}

function End({ t, apiKey: { expires, state, renewed_until: overlap } }: EndProps) {
  return (
    <>
      {expires === null ? '–' : <Moment at={momentOf(expires)} />}{' '}
      {state === 'expired' && <Badge tone="bad">{t('expired')}</Badge>}
      {overlap !== null && (
        <span className="soft">
          {t('keyBefore')} <Moment at={momentOf(overlap)} />
        </span>
      )}
    </>
  );
}
