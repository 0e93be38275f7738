/** The form after the password: a code, or the touch of a security key. */
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Challenge, SignInFields } from '../../api/session.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Notice } from '../../kit/show.tsx';
import { signInTexts } from '../../texts/sign-in/index.ts';
import { useTexts } from '../../texts/text.ts';
import { askedBy } from './asked.ts';
import { useSecondsUntil } from './countdown.ts';
import { askSecurityKey } from './security-key.ts';

interface ChallengeFormProps {
  readonly challenge: Challenge;
  readonly isPending: boolean;
  readonly onReply: (answer: SignInFields) => void;
  readonly onStartOver: () => void;
}

export function ChallengeForm({ challenge, isPending, onReply, onStartOver }: ChallengeFormProps) {
  const t = useTexts(signInTexts);
  const [code, setCode] = useState('');
  const [until] = useState(() => performance.now() + (challenge.timeout ?? 0) * 1000);
  const left = useSecondsUntil(until);
  const isLate = challenge.timeout !== undefined && left === 0;
  const { u2fChallenge, otpChallenge } = challenge;
  const wantsCode = !isLate && (otpChallenge !== undefined || u2fChallenge === undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code !== '') onReply({ otp: code.trim() });
  };
  return (
    <form className="form" onSubmit={submit}>
      <p role="status">
        {isLate ? t('tooLate') : t(askedBy(challenge), { question: challenge.question ?? '' })}
      </p>
      {u2fChallenge !== undefined && !isLate && (
        <SecurityKey options={u2fChallenge} isPending={isPending} onReply={onReply} />
      )}
      {wantsCode && (
        <Field
          label={t('code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          value={code}
          onChange={setCode}
          {...(challenge.timeout !== undefined && { description: t('timeLeft', { count: left }) })}
        />
      )}
      <div className="form-actions">
        <Button onPress={onStartOver}>{t('startOver')}</Button>
        {wantsCode && (
          <Button type="submit" variant="primary" isPending={isPending}>
            {t('answer')}
          </Button>
        )}
      </div>
    </form>
  );
}

interface SecurityKeyProps {
  readonly options: string;
  readonly isPending: boolean;
  readonly onReply: (answer: SignInFields) => void;
}

/** Asks the key at once; the button asks again. */
function SecurityKey({ options, isPending, onReply }: SecurityKeyProps) {
  const t = useTexts(signInTexts);
  const [why, setWhy] = useState<'keyRefused' | 'keyMissing'>();
  const ask = useCallback(async () => {
    setWhy(undefined);
    if (!('credentials' in navigator)) return setWhy('keyMissing');
    try {
      onReply({ u2fResponse: await askSecurityKey(options) });
    } catch {
      setWhy('keyRefused');
    }
  }, [options, onReply]);
  // By itself once: whoever has let it pass presses the button.
  const wasAsked = useRef(false);
  useEffect(() => {
    if (wasAsked.current) return;
    wasAsked.current = true;
    ask();
  }, [ask]);
  return (
    <div className="stack-tight">
      <Notice tone={why === undefined ? 'accent' : 'warn'}>{t(why ?? 'key')}</Notice>
      <div>
        <Button icon="key" isPending={isPending} onPress={ask}>
          {t('keyAgain')}
        </Button>
      </div>
    </div>
  );
}
