/** A token whose codes are refused: its clock or its counter is found by what it shows now. */
import { type FormEvent, useState } from 'react';
import type { Manager } from '../../api/manager.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { Notice } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { OwnToken } from '../own/calls.ts';
import { factorKeys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

interface ResyncDialogProps {
  readonly token: OwnToken;
  readonly name: string;
  readonly onClose: () => void;
}

export function ResyncDialog({ token: { id, type }, name, onClose }: ResyncDialogProps) {
  const t = useTexts(factorsTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const [codes, setCodes] = useState<readonly [string, string]>(['', '']);
  const isByCounter = type === 'HOTP';
  const resync = useAction({
    run: () => own((manager) => resyncToken(manager, { dn, id, codes, isByCounter })),
    done: (_, isFound) => t(isFound ? 'resynced' : 'notResynced'),
    changes: factorKeys,
    hasChanged: (isFound) => isFound,
    after: (isFound) => isFound && onClose(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resync.mutate();
  };
  return (
    <Dialog title={t('resyncTitle', { name })} isOpen onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>{t(isByCounter ? 'resyncTwo' : 'resyncOne')}</p>
        {resync.data === false && (
          <Notice tone="bad" alert>
            {t('notResynced')}
          </Notice>
        )}
        <CodeField label={t('code')} value={codes[0]} onChange={(code) => setCodes([code, codes[1]])} first />
        {isByCounter && (
          <CodeField label={t('nextCode')} value={codes[1]} onChange={(code) => setCodes([codes[0], code])} />
        )}
        <FormActions act={t('resync')} isPending={resync.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface CodeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly first?: boolean;
}

function CodeField({ first = false, ...props }: CodeFieldProps) {
  return <Field {...props} isRequired autoFocus={first} inputMode="numeric" autoComplete="off" />;
}

interface Resync {
  readonly dn: string;
  readonly id: number;
  readonly codes: readonly [string, string];
  readonly isByCounter: boolean;
}

async function resyncToken(manager: Manager, { dn, id, codes, isByCounter }: Resync): Promise<boolean> {
  const [otp, otp2] = codes.map((code) => code.replace(/\s/g, ''));
  const done = isByCounter
    ? await manager.Otp.HOTP_Resync_Sequence({ dn, id, otp1: otp ?? '', otp2: otp2 ?? '' })
    : await manager.Otp.TOTP_Resync({ dn, id, otp: otp ?? '' });
  return done !== false;
}
