/** The dialog that asks for a second factor over the page that needs it. */
import { type FormEvent, useState } from 'react';
import { type Challenge, type Refused, type SignInFields, signIn } from '../../api/session.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { Notice } from '../../kit/show.tsx';
import { useReasons } from '../../shell/failure.tsx';
import { useDoor, useSession } from '../../shell/session.tsx';
import { ChallengeForm } from '../../shell/sign-in/challenge-form.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { nameOf } from './person.ts';

interface StepUpDialogProps {
  readonly onCancel: () => void;
}

export function StepUpDialog({ onCancel }: StepUpDialogProps) {
  const t = useTexts(selfTexts);
  const say = useReasons();
  const named = nameOf(useSession().signedIn);
  const { look } = useDoor();
  const [challenge, setChallenge] = useState<Challenge>();
  const [refused, setRefused] = useState<Refused>();
  const [isPending, setPending] = useState(false);
  const send = async (fields: SignInFields) => {
    setPending(true);
    const answer = await signIn('self', { ...named, ...fields });
    if (answer.kind === 'signed-in') return look();
    setPending(false);
    setChallenge(answer.kind === 'challenge' ? answer : undefined);
    setRefused(answer.kind === 'refused' ? answer : undefined);
  };
  return (
    <Dialog title={t('stepUp')} isOpen onClose={onCancel}>
      {refused && (
        <Notice tone="bad" alert>
          {say(refused)}
        </Notice>
      )}
      {challenge ? (
        <ChallengeForm
          key={challenge.session}
          challenge={challenge}
          isPending={isPending}
          onReply={(answer) => send({ ...answer, session: challenge.session })}
          onStartOver={() => setChallenge(undefined)}
        />
      ) : (
        <PasswordForm isPending={isPending} onSubmit={send} onCancel={onCancel} />
      )}
    </Dialog>
  );
}

interface PasswordFormProps {
  readonly isPending: boolean;
  readonly onSubmit: (fields: SignInFields) => void;
  readonly onCancel: () => void;
}

function PasswordForm({ isPending, onSubmit, onCancel }: PasswordFormProps) {
  const t = useTexts(selfTexts);
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ password, ...(otp.trim() !== '' && { otp: otp.trim() }) });
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>{t('stepUpMore')}</p>
      <Field
        label={t('passwordNow')}
        type="password"
        autoComplete="current-password"
        autoFocus
        isRequired
        value={password}
        onChange={setPassword}
      />
      <Field
        label={t('code')}
        description={t('codeMore')}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={otp}
        onChange={setOtp}
      />
      <FormActions act={t('goOn')} isPending={isPending} onCancel={onCancel} />
    </form>
  );
}
