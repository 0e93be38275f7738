/** A security key or passkey. */
import { useState } from 'react';
import type { Manager } from '../../../../api/manager.ts';
import { Button } from '../../../../kit/button.tsx';
import { Confirm } from '../../../../kit/confirm.tsx';
import { Badge } from '../../../../kit/show.tsx';
import { useAction } from '../../../../shell/action.ts';
import { useSession } from '../../../../shell/session.tsx';
import { peopleTexts } from '../../../../texts/people/index.ts';
import { useTexts } from '../../../../texts/text.ts';
import { personKey, useMay, usePerson } from '../person.ts';
import { TurnButton } from './turn-button.tsx';

type Device = Awaited<ReturnType<Manager['Otp']['User_Devices']>>[number];

export function DeviceLine({ device }: { readonly device: Device }) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const { id, enabled, registered, name = `${device.id}` } = device;
  const remove = useAction({
    run: () => manager.Otp.FIDO_Unregister({ dn, id }),
    done: () => t('deviceRemoved'),
    changes: [personKey(dn)],
    after: () => setAsking(false),
  });
  const on = () => manager.Otp.FIDO_Enable({ dn, id });
  const off = () => manager.Otp.FIDO_Disable({ dn, id });
  return (
    <div className="line">
      <div className="line-text">
        <strong>{t('kindFIDO2')}</strong>
        <span className="soft break">
          {name} · {t('registered', { at: registered })}
        </span>
      </div>
      <Badge tone={enabled ? 'good' : 'bad'}>{t(enabled ? 'enabled' : 'disabled')}</Badge>
      <TurnButton
        enabled={enabled}
        on={{ method: 'Otp.FIDO_Enable', run: on, done: t('deviceEnabled') }}
        off={{ method: 'Otp.FIDO_Disable', run: off, done: t('deviceDisabled') }}
      />
      {may('Otp.FIDO_Unregister') && (
        <Button size="small" variant="quiet" onPress={() => setAsking(true)}>
          {t('remove')}
        </Button>
      )}
      <Confirm
        title={t('removeDeviceTitle', { name })}
        lost={[t('lostDevice', { name })]}
        act={t('removeDevice')}
        isOpen={isAsking}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
