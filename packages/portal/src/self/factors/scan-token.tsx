/**
 * Registers an authenticator app by a QR code. The app confirms the scan to the server, or the user types a code. The page makes the
 * secret and does not store it.
 */
import { type FormEvent, type ReactNode, useState } from 'react';
import { fromBase64, toBase32 } from '../../api/base64.ts';
import { codeIn } from '../../api/offered-token.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copy-button.tsx';
import { Field } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { QrImage } from '../../kit/qr-image.tsx';
import { Notice } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type Offer, useOffer } from './offer.ts';

interface ScanTokenProps {
  readonly slot: number;
  readonly onDone: () => void;
  readonly onCancel: () => void;
  /** Further fields. */
  readonly children: ReactNode;
}

export function ScanToken({ slot, onDone, onCancel, children }: ScanTokenProps) {
  const t = useTexts(factorsTexts);
  const { offer, error, begin, byCode } = useOffer(slot, onDone);
  const isOver = offer?.state === 'over';
  return (
    <div className="stack">
      <p>{t('scan')}</p>
      {error !== undefined && <Failure error={error} onRetry={begin} />}
      {isOver && (
        <Notice tone="warn" alert>
          <p>{t('scanOver')}</p>
          <div>
            <Button size="small" onPress={begin}>
              {t('scanAgain')}
            </Button>
          </div>
        </Notice>
      )}
      {error === undefined && !isOver && (
        <>
          <div className="scan">
            <QrImage picture={offer?.picture} label={t('qr')} />
            <p role="status" className="row soft">
              <span className="spinner" aria-hidden="true" />
              {t('waiting')}
            </p>
          </div>
          {offer && <ByHand offer={offer} />}
        </>
      )}
      <CodeForm isThere={offer !== undefined} onCode={byCode} onCancel={onCancel}>
        {children}
      </CodeForm>
    </div>
  );
}

/** The way without a scan, for the phone itself. */
function ByHand({ offer: { uri, key } }: { readonly offer: Offer }) {
  const t = useTexts(factorsTexts);
  return (
    <div className="stack-tight">
      <div>
        <a className="button" data-size="small" href={uri}>
          {t('openApp')}
        </a>
      </div>
      <details>
        <summary>{t('cannotScan')}</summary>
        <Copyable text={toBase32(fromBase64(key))} />
      </details>
    </div>
  );
}

interface CodeFormProps {
  readonly isThere: boolean;
  /** False: it is wrong. */
  readonly onCode: (code: string) => Promise<boolean>;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

function CodeForm({ isThere, onCode, onCancel, children }: CodeFormProps) {
  const t = useTexts(factorsTexts);
  const [code, setCode] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isThere || code === '') return;
    setPending(true);
    setWrong(!(await onCode(codeIn(code))));
    setPending(false);
  };
  return (
    <form className="form" onSubmit={submit}>
      {children}
      <Field
        label={t('appCode')}
        description={t('appCodeMore')}
        inputMode="numeric"
        autoComplete="off"
        value={code}
        onChange={setCode}
        error={isWrong ? t('appCodeWrong') : undefined}
      />
      <FormActions act={t('confirm')} isPending={isPending} isDisabled={!isThere} onCancel={onCancel} />
    </form>
  );
}
