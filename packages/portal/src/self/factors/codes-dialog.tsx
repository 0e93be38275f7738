/** Shows new recovery codes once: to print, save or copy. */
import { Button } from '../../kit/button.tsx';
import { CodeList } from '../../kit/code-list.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { download } from '../../kit/download.ts';
import { Notice } from '../../kit/show.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';

interface CodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const t = useTexts(factorsTexts);
  return (
    <Dialog title={t('codesTitle')} isOpen onClose={onClose}>
      <Notice tone="warn">{t('codesOnce')}</Notice>
      <CodeList codes={codes} isPrinted />
      <div className="row">
        <Button icon="print" onPress={() => window.print()}>
          {t('print')}
        </Button>
        <Button icon="download" onPress={() => download('recovery-codes.txt', `${codes.join('\n')}\n`)}>
          {t('download')}
        </Button>
        <CopyButton text={codes.join('\n')} label={t('copyCodes')} />
      </div>
      <div className="form-actions">
        <Button variant="primary" onPress={onClose}>
          {t('codesKept')}
        </Button>
      </div>
    </Dialog>
  );
}
