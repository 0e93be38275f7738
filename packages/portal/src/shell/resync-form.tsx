/** The form that resynchronises a token whose codes are refused. */
import { type FormEvent, useState } from 'react';
import { isByCounter, type Resync } from '../api/resync.ts';
import { Field } from '../kit/field.tsx';
import { FormActions } from '../kit/form-actions.tsx';
import { Notice } from '../kit/show.tsx';
import { kitTexts } from '../texts/kit/index.ts';
import { useTexts } from '../texts/text.ts';

interface ResyncFormProps {
  /** The kind of token, as the server names it. */
  readonly type: string;
  /** The question, by the number of codes. */
  readonly asks: Readonly<Record<'one' | 'two', string>>;
  /** Said when the codes were not found. */
  readonly failed: string;
  /** The act, as the button says it. */
  readonly act: string;
  readonly resync: {
    /** False: the codes were not found. */
    readonly data: boolean | undefined;
    readonly isPending: boolean;
    readonly mutate: (codes: Resync['codes']) => void;
  };
  readonly onCancel: () => void;
}

export function ResyncForm({ type, asks, failed, act, resync, onCancel }: ResyncFormProps) {
  const t = useTexts(kitTexts);
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const wantsTwo = isByCounter(type);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resync.mutate([first, second]);
  };
  const digits = { inputMode: 'numeric' as const, autoComplete: 'off', isRequired: true };
  return (
    <form className="form" onSubmit={submit}>
      <p>{wantsTwo ? asks.two : asks.one}</p>
      {resync.data === false && (
        <Notice tone="bad" alert>
          {failed}
        </Notice>
      )}
      <Field label={t('code')} {...digits} autoFocus value={first} onChange={setFirst} />
      {wantsTwo && <Field label={t('nextCode')} {...digits} value={second} onChange={setSecond} />}
      <FormActions act={act} isPending={resync.isPending} onCancel={onCancel} />
    </form>
  );
}
