/** Finds a token again whose clock or counter has gone astray, by codes that its user reads out. */
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../../kit/dialog.tsx';
import { Field } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { Notice } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { useToast } from '../../../shell/toasts.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import type { Token } from '../person/codes/token.ts';
import { personKey, usePerson } from '../person/person.ts';

interface ResyncDialogProps {
  readonly token: Token | undefined;
  readonly onClose: () => void;
}

export function ResyncDialog({ token, onClose }: ResyncDialogProps) {
  const t = useTexts(peopleTexts);
  return (
    <Dialog title={t('resyncTitle', { id: token?.id ?? 0 })} isOpen={token !== undefined} onClose={onClose}>
      {token && <ResyncForm token={token} onClose={onClose} />}
    </Dialog>
  );
}

function ResyncForm({
  token: { id, type },
  onClose,
}: {
  readonly token: Token;
  readonly onClose: () => void;
}) {
  const t = useTexts(peopleTexts);
  const toast = useToast();
  const { dn } = usePerson();
  const { manager } = useSession();
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const isSequence = type === 'HOTP';
  const resync = useAction({
    run: () =>
      isSequence
        ? manager.Otp.HOTP_Resync_Sequence({ dn, id, otp1: first.trim(), otp2: second.trim() })
        : manager.Otp.TOTP_Resync({ dn, id, otp: first.trim() }),
    changes: [personKey(dn)],
    hasChanged: (found) => found !== false,
    after: (found) => {
      if (found === false) return;
      toast({ tone: 'good', text: t('resynced') });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resync.mutate();
  };
  const digits = { inputMode: 'numeric' as const, autoComplete: 'off', isRequired: true };
  return (
    <form className="form" onSubmit={submit}>
      <p>{t(isSequence ? 'resyncHOTP' : 'resyncTOTP')}</p>
      {resync.data === false && (
        <Notice tone="bad" alert>
          {t('resyncFailed')}
        </Notice>
      )}
      <Field label={t('code1')} {...digits} autoFocus value={first} onChange={setFirst} />
      {isSequence && <Field label={t('code2')} {...digits} value={second} onChange={setSecond} />}
      <FormActions act={t('resync')} isPending={resync.isPending} onCancel={onClose} />
    </form>
  );
}
