/** An emergency code, large enough to be read out. */
import type { ReactNode } from 'react';
import { Button } from '../../../kit/button.tsx';
import { CopyButton } from '../../../kit/copy-button.tsx';
import { kitTexts } from '../../../texts/kit/index.ts';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';

interface ShownCodeProps {
  readonly code: string;
  readonly onClose: () => void;
  /** Further actions. */
  readonly children?: ReactNode;
}

export function ShownCode({ code, onClose, children }: ShownCodeProps) {
  const t = useTexts(peopleTexts);
  const kit = useTexts(kitTexts);
  return (
    <>
      <div role="status" className="shown-code">
        <p>{t('readOut')}</p>
        <p className="row">
          <code>{code}</code>
          <CopyButton text={code} />
        </p>
      </div>
      <div className="form-actions">
        {children}
        <Button onPress={onClose} variant={children === undefined ? 'primary' : 'plain'}>
          {kit('close')}
        </Button>
      </div>
    </>
  );
}
