/** Resynchronises a token whose clock or counter is off, by codes that its user reads out. */
import { type Resync, resyncToken } from '../../../api/resync.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { useAction } from '../../../shell/action.ts';
import { ResyncForm } from '../../../shell/resync-form.tsx';
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
      {token && <ResyncOf token={token} onClose={onClose} />}
    </Dialog>
  );
}

interface ResyncOfProps {
  readonly token: Token;
  readonly onClose: () => void;
}

function ResyncOf({ token: { id, type }, onClose }: ResyncOfProps) {
  const t = useTexts(peopleTexts);
  const toast = useToast();
  const { dn } = usePerson();
  const { manager } = useSession();
  const resync = useAction({
    run: (codes: Resync['codes']) => resyncToken(manager, { dn, id, type, codes }),
    changes: [personKey(dn)],
    hasChanged: (isFound) => isFound,
    after: (isFound) => {
      if (!isFound) return;
      toast({ tone: 'good', text: t('resynced') });
      onClose();
    },
  });
  return (
    <ResyncForm
      type={type}
      asks={{ one: t('resyncTOTP'), two: t('resyncHOTP') }}
      failed={t('resyncFailed')}
      act={t('resync')}
      resync={resync}
      onCancel={onClose}
    />
  );
}
