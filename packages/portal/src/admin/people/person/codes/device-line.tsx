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

type Device = Awaited<ReturnType<Manager['Otp']['User_Devices']>>[number];

export function DeviceLine({ device }: { readonly device: Device }) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const { id, enabled, registered, name = `${device.id}` } = device;
  const on = () => manager.Otp.FIDO_Enable({ dn, id });
  const off = () => manager.Otp.FIDO_Disable({ dn, id });
  const changes = [personKey(dn)];
  const enable = useAction({
    ...{ run: on, done: () => t('deviceEnabled'), changes },
    ...(may('Otp.FIDO_Disable') && { undo: off }),
  });
  const disable = useAction({
    ...{ run: off, done: () => t('deviceDisabled'), changes },
    ...(may('Otp.FIDO_Enable') && { undo: on }),
  });
  const remove = useAction({
    run: () => manager.Otp.FIDO_Unregister({ dn, id }),
    done: () => t('deviceRemoved'),
    changes,
    after: () => setAsking(false),
  });
  const turn = enabled ? disable : enable;
  return (
    <div className="line">
      <div className="line-text">
        <strong>{t('kindFIDO2')}</strong>
        <span className="soft break">
          {name} · {t('registered', { at: registered })}
        </span>
      </div>
      <Badge tone={enabled ? 'good' : 'bad'}>{t(enabled ? 'enabled' : 'disabled')}</Badge>
      {may(enabled ? 'Otp.FIDO_Disable' : 'Otp.FIDO_Enable') && (
        <Button size="small" isPending={turn.isPending} onPress={() => turn.mutate()}>
          {t(enabled ? 'disable' : 'enable')}
        </Button>
      )}
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
