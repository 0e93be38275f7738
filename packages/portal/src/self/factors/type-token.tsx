/** A device that shows codes by a counter (HOTP): its secret is typed as it is printed, and a code of it shows that it is right. */
import { type FormEvent, useState } from 'react';
import { fromBase64 } from '../../api/base64.ts';
import { base64OfKey } from '../../api/key-bytes.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { useAction } from '../../shell/action.ts';
import { factorsTexts } from '../../texts/factors/index.ts';
import { kitTexts } from '../../texts/kit/index.ts';
import { useTexts } from '../../texts/text.ts';
import { counterAfter } from '../own/code.ts';
import { factorKeys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

interface TypeTokenProps {
  readonly slot: number;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Bytes: RFC 4226 §4 R6 wants 16, manager.md §4 takes 10. */
const shortest = 10;

export function TypeToken({ slot, onDone, onCancel }: TypeTokenProps) {
  const t = useTexts(factorsTexts);
  const common = useTexts(kitTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<'keyWrong' | 'firstCodeWrong'>();
  const register = useAction({
    run: (token: { readonly key: string; readonly counter: number }) =>
      own((manager) => manager.Otp.HOTP_Register({ dn, id: slot, ...token })),
    done: () => t('added'),
    changes: factorKeys,
    after: onDone,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const key = base64OfKey(typed) ?? '';
    const secret = fromBase64(key);
    if (secret.length < shortest) return setWrong('keyWrong');
    const counter = await counterAfter(secret, code.replace(/\s/g, ''));
    setWrong(counter === undefined ? 'firstCodeWrong' : undefined);
    if (counter !== undefined) register.mutate({ key, counter });
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>{t('type')}</p>
      <Field
        label={t('key')}
        description={t('keyMore')}
        mono
        autoFocus
        isRequired
        autoComplete="off"
        spellCheck="false"
        value={typed}
        onChange={setTyped}
        error={wrong === 'keyWrong' ? t('keyWrong') : undefined}
      />
      <Field
        label={t('firstCode')}
        isRequired
        inputMode="numeric"
        autoComplete="off"
        value={code}
        onChange={setCode}
        error={wrong === 'firstCodeWrong' ? t('firstCodeWrong') : undefined}
      />
      <div className="form-actions">
        <Button onPress={onCancel}>{common('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={register.isPending}>
          {t('confirm')}
        </Button>
      </div>
    </form>
  );
}
