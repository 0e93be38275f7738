/** A confirmation before an action that cannot be undone; it names what is lost. */
import { kitTexts } from '../texts/kit/index.ts';
import { useTexts } from '../texts/text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmProps {
  readonly title: string;
  /** The losses, a sentence each. */
  readonly lost: readonly string[];
  /** The act, as the button says it: "Remove token". */
  readonly act: string;
  readonly isOpen: boolean;
  readonly isPending?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ title, lost, act, isOpen, isPending = false, onConfirm, onClose }: ConfirmProps) {
  const t = useTexts(kitTexts);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} role="alertdialog">
      <div className="stack-tight">
        <p>{t('lost')}</p>
        <ul className="lost">
          {lost.map((each) => (
            <li key={each} className="break">
              {each}
            </li>
          ))}
        </ul>
      </div>
      <div className="form-actions">
        <Button onPress={onClose} autoFocus>
          {t('cancel')}
        </Button>
        <Button variant="danger" isPending={isPending} onPress={onConfirm}>
          {act}
        </Button>
      </div>
    </Dialog>
  );
}
