/** Resynchronises a token whose codes are refused, by codes that it shows now. */
import { type Resync, resyncToken } from '../../api/resync.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { useAction } from '../../shell/action.ts';
import { ResyncForm } from '../../shell/resync-form.tsx';
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
  const resync = useAction({
    run: (codes: Resync['codes']) => own((manager) => resyncToken(manager, { dn, id, type, codes })),
    done: (_, isFound) => t(isFound ? 'resynced' : 'notResynced'),
    changes: factorKeys,
    hasChanged: (isFound) => isFound,
    after: (isFound) => isFound && onClose(),
  });
  return (
    <Dialog title={t('resyncTitle', { name })} isOpen onClose={onClose}>
      <ResyncForm
        type={type}
        asks={{ one: t('resyncOne'), two: t('resyncTwo') }}
        failed={t('notResynced')}
        act={t('resync')}
        resync={resync}
        onCancel={onClose}
      />
    </Dialog>
  );
}
