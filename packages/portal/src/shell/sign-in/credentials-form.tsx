/** The first form, with the fields that the server names. */
import { type FormEvent, useState } from 'react';
import type { SignInFields, SignInMode } from '../../api/session.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Notice } from '../../kit/show.tsx';
import { signInTexts } from '../../texts/sign-in/index.ts';
import { useTexts } from '../../texts/text.ts';
import { useDoor } from '../session.tsx';

const known = ['username', 'password', 'otp', 'domain'] as const;

type FieldName = (typeof known)[number];

/** Optional fields. */
const optional: readonly FieldName[] = ['domain', 'otp'];

const autofill: Readonly<Record<FieldName, string>> = {
  username: 'username',
  domain: 'organization',
  password: 'current-password',
  otp: 'one-time-code',
};

export interface CredentialsFormProps {
  readonly isPending: boolean;
  readonly onSubmit: (fields: SignInFields) => void;
}

export function CredentialsForm({ isPending, onSubmit }: CredentialsFormProps) {
  const t = useTexts(signInTexts);
  const { door } = useDoor();
  const asked = door.kind === 'outside' ? door.door : { signedIn: false as const };
  const fields = known.filter((name) => (asked.fields ?? ['username', 'password']).includes(name));
  const [typed, setTyped] = useState<Readonly<Partial<Record<FieldName, string>>>>({});
  const labels = labelsOf(asked.mode);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(Object.fromEntries(fields.flatMap((name) => (typed[name] ? [[name, typed[name]]] : []))));
  };
  const more: Readonly<Partial<Record<FieldName, string>>> = { domain: t('domainMore'), otp: t('otpMore') };
  return (
    <form className="form" onSubmit={submit}>
      {asked.mode === 'PKI' && <Notice tone="good">{t('certificate')}</Notice>}
      {fields.map((name, index) => (
        <Field
          key={name}
          name={name}
          label={t(labels[name])}
          type={name === 'password' ? 'password' : 'text'}
          autoComplete={autofill[name]}
          autoFocus={index === 0}
          isRequired={!optional.includes(name)}
          value={typed[name] ?? ''}
          onChange={(text) => setTyped((before) => ({ ...before, [name]: text }))}
          {...(more[name] !== undefined && { description: more[name] })}
          {...(name === 'otp' && { inputMode: 'numeric' as const })}
        />
      ))}
      <Button type="submit" variant="primary" isPending={isPending}>
        {t('signIn')}
      </Button>
    </form>
  );
}

const labelsOf = (mode: SignInMode | undefined) =>
  ({
    username: mode === 'DN' ? 'dn' : 'username',
    domain: 'domain',
    password: 'password',
    otp: 'otp',
  }) as const;
