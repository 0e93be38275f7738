/** Security keys and passkeys. */
import { Badge } from '../../kit/show.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { Overview, OwnDevice } from '../own/calls.ts';
import { useShortDate } from '../own/moment.ts';
import { useDevices } from '../own/reading.ts';
import { AddDevice } from './add-device.tsx';
import { FactorCard } from './factor-card.tsx';
import { FactorRow } from './factor-row.tsx';

export function DevicesCard({ overview: { parts, types } }: { readonly overview: Overview }) {
  const t = useTexts(factorsTexts);
  const devices = useDevices(parts.otp);
  if (!parts.otp) return null;
  return (
    <FactorCard
      title={t('devices')}
      query={devices}
      none={t('noDevices')}
      add={types.includes('FIDO2') ? t('addDevice') : undefined}
      row={(device) => <DeviceRow key={device.id} device={device} />}
      adding={(slot, close) => <AddDevice slot={slot} onClose={close} />}
    />
  );
}

function DeviceRow({ device }: { readonly device: OwnDevice }) {
  const t = useTexts(factorsTexts);
  const date = useShortDate();
  const { id, enabled, registered } = device;
  const name = device.name ?? t('device', { id });
  return (
    <FactorRow
      of={{ factor: 'FIDO2', id }}
      icon="key"
      name={name}
      given={device.name}
      state={<Badge tone={enabled ? 'good' : 'bad'}>{t(enabled ? 'works' : 'disabled')}</Badge>}
      facts={[t('since', { date: date(registered) })]}
      removal={{ title: t('removeTitle', { name }), lost: t('removeLost', { name }), act: t('removeDevice') }}
    />
  );
}
