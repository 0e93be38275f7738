/** Adds a security key or passkey: asks for a name, then for a touch. */
import { type FormEvent, useState } from 'react';
import { randomBytes, textToBase64, toBase64 } from '../../api/base64.ts';
import type { Manager } from '../../api/manager.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { Notice } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { useSession } from '../../shell/session.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { canAsk, createCredential } from '../own/credential.ts';
import { type LoginName, nameOf } from '../own/person.ts';
import { factorKeys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';
import { longestName } from './rename-dialog.tsx';

interface AddDeviceProps {
  readonly slot: number;
  readonly onClose: () => void;
}

export function AddDevice({ slot, onClose }: AddDeviceProps) {
  const t = useTexts(factorsTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const named = nameOf(useSession().signedIn);
  const [name, setName] = useState('');
  const register = useAction({
    run: () => own((manager) => registerDevice(manager, { dn, id: slot, name: name.trim(), named })),
    done: () => t('added'),
    changes: factorKeys,
    after: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    register.mutate();
  };
  return (
    <Dialog title={t('deviceTitle')} isOpen onClose={onClose}>
      <form className="form" onSubmit={submit}>
        {canAsk() ? (
          <p>{t(register.isPending ? 'touch' : 'deviceMore')}</p>
        ) : (
          <Notice tone="warn">{t('noWebauthn')}</Notice>
        )}
        <Field
          label={t('deviceName')}
          description={t('deviceNameMore')}
          autoComplete="off"
          autoFocus
          isRequired
          maxLength={longestName}
          value={name}
          onChange={setName}
        />
        <FormActions
          act={t('goOn')}
          isPending={register.isPending}
          isDisabled={!canAsk()}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

interface NewDevice {
  readonly dn: string;
  readonly id: number;
  readonly name: string;
  readonly named: LoginName;
}

/** Bytes: WebAuthn §13.4.3 wants 16. */
const challengeLength = 32;

async function registerDevice(manager: Manager, { named, ...device }: NewDevice): Promise<unknown> {
  const random = toBase64(randomBytes(challengeLength));
  const options = await manager.Otp.FIDO_Challenge({ ...named, random });
  const response = await createCredential(options).catch((error: unknown) => {
    throw {
      reason:
        error instanceof DOMException && error.name === 'InvalidStateError'
          ? 'device_known'
          : 'device_silent',
    };
  });
  return manager.Otp.FIDO_Register({ ...device, random, response: textToBase64(response) });
}
