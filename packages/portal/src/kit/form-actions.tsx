/** The end of a form in a dialog: its submit button, and a way out that changes nothing. */
import { kitTexts } from '../texts/kit/index.ts';
import { useTexts } from '../texts/text.ts';
import { Button } from './button.tsx';

interface FormActionsProps {
  /** The act, as the submit button says it: "Add token". */
  readonly act: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly onCancel: () => void;
}

export function FormActions({ act, isPending, isDisabled = false, onCancel }: FormActionsProps) {
  const t = useTexts(kitTexts);
  return (
    <div className="form-actions">
      <Button onPress={onCancel}>{t('cancel')}</Button>
      <Button type="submit" variant="primary" isPending={isPending} isDisabled={isDisabled}>
        {act}
      </Button>
    </div>
  );
}
