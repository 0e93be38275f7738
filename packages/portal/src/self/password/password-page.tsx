/** The page that changes the password; it asks for the present one. */
import { type FormEvent, useState } from 'react';
import { CallError } from '../../api/manager.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Card, Skeleton } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Failure } from '../../shell/failure.tsx';
import { useRulesText } from '../../shell/password-rules.ts';
import { useSession } from '../../shell/session.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { nameOf } from '../own/person.ts';
import { keys, useOverview, useOwnDn, useOwnRead } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

export function PasswordPage() {
  const t = useTexts(selfTexts);
  const { data: overview, error, refetch } = useOverview();
  return (
    <div className="stack narrow">
      <h1>{t('password')}</h1>
      {error && <Failure error={error} onRetry={refetch} />}
      {!overview && !error && <Skeleton lines={6} />}
      {overview && (
        <Card title={t('changePassword')}>
          <PasswordForm />
        </Card>
      )}
    </div>
  );
}

const empty = { old: '', wanted: '', again: '' };

function PasswordForm() {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const toast = useToast();
  const { signedIn, leave } = useSession();
  const { username } = nameOf(signedIn);
  const [typed, setTyped] = useState(empty);
  const [differ, setDiffer] = useState(false);
  const rules = useRules();
  const change = useAction({
    run: () => {
      const { old, wanted: password } = typed;
      return own((manager) => manager.SelfDesk.Change_Password({ dn, old, password }));
    },
    changes: [],
    after: (isChanged) => {
      setTyped(empty);
      if (isChanged === false) return;
      toast({ tone: 'good', text: t('passwordChanged') });
      leave();
    },
  });
  const isRefused = change.error instanceof CallError && change.error.reason === 'password_refused';
  const field = (name: keyof typeof empty) => ({
    type: 'password',
    isRequired: true,
    value: typed[name],
    onChange: (text: string) => setTyped((before) => ({ ...before, [name]: text })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isSame = typed.wanted === typed.again;
    setDiffer(!isSame);
    if (isSame) change.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      {/* Whose password it is, for what keeps passwords. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field
        {...field('old')}
        label={t('passwordNow')}
        autoComplete="current-password"
        autoFocus
        error={change.data === false && typed.old === '' ? t('passwordWrong') : undefined}
      />
      <Field
        {...field('wanted')}
        label={t('passwordNew')}
        autoComplete="new-password"
        description={isRefused ? undefined : rules}
        error={isRefused ? rules : undefined}
      />
      <Field
        {...field('again')}
        label={t('passwordAgain')}
        autoComplete="new-password"
        error={differ ? t('passwordsDiffer') : undefined}
      />
      <p className="soft">{t('passwordMore')}</p>
      <div className="form-actions">
        <Button type="submit" variant="primary" isPending={change.isPending}>
          {t('changePassword')}
        </Button>
      </div>
    </form>
  );
}

/** Returns the rules for a new password, as far as the directory reports them; undefined: unknown. */
function useRules(): string | undefined {
  const { data: rules = {} } = useOwnRead(keys.passwordRules, (manager, dn) =>
    manager.SelfDesk.Password_Rules({ dn }),
  );
  return useRulesText(rules);
}
