/** Security keys and passkeys. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Badge, Card, Empty, Skeleton } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Failure } from '../../shell/failure.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { Overview, OwnDevice } from '../own/calls.ts';
import { useShortDate } from '../own/moment.ts';
import { factorKeys, useDevices, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';
import { AddDevice } from './add-device.tsx';
import { FactorRow } from './factor-row.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { freeSlot } from './slots.ts';

export function DevicesCard({ overview }: { readonly overview: Overview }) {
  const t = useTexts(factorsTexts);
  const { otp: sees } = overview.parts;
  const { data: devices, error, refetch } = useDevices(sees);
  const [isAdding, setAdding] = useState(false);
  const slot = freeSlot(devices ?? []);
  if (!sees) return null;
  const add = overview.types.includes('FIDO2') && slot !== undefined && (
    <Button icon="plus" size="small" onPress={() => setAdding(true)}>
      {t('addDevice')}
    </Button>
  );
  return (
    <Card title={t('devices')} actions={add}>
      {error && <Failure error={error} onRetry={refetch} />}
      {sees && !devices && !error && <Skeleton />}
      {devices?.length === 0 && <Empty>{t('noDevices')}</Empty>}
      {devices && devices.length > 0 && (
        <ul className="factor-list">
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      )}
      {isAdding && slot !== undefined && <AddDevice slot={slot} onClose={() => setAdding(false)} />}
    </Card>
  );
}

function DeviceRow({ device }: { readonly device: OwnDevice }) {
  const t = useTexts(factorsTexts);
  const date = useShortDate();
  const own = useOwn();
  const dn = useOwnDn();
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const close = () => setOpen(undefined);
  const { id, enabled, registered } = device;
  const name = device.name ?? t('device', { id });
  const remove = useAction({
    run: () => {
      close();
      return own((manager) => manager.SelfDesk.Remove_Factor({ dn, factor: 'FIDO2', id }));
    },
    done: () => t('removed'),
    changes: factorKeys,
  });
  return (
    <>
      <FactorRow
        icon="key"
        name={name}
        state={<Badge tone={enabled ? 'good' : 'bad'}>{t(enabled ? 'works' : 'disabled')}</Badge>}
        facts={[t('since', { date: date(registered) })]}
        entries={[
          { id: 'rename', name: t('rename'), onAction: () => setOpen('rename') },
          { id: 'remove', name: t('removeDevice'), tone: 'bad', onAction: () => setOpen('remove') },
        ]}
      />
      {open === 'rename' && (
        <RenameDialog of={{ factor: 'FIDO2', id }} called={name} name={device.name} onClose={close} />
      )}
      <Confirm
        title={t('removeTitle', { name })}
        lost={[t('removeLost', { name })]}
        act={t('removeDevice')}
        isOpen={open === 'remove'}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={close}
      />
    </>
  );
}
