/** Registers a HOTP device: the user types its secret, and a code that proves the secret is right. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { fromBase64 } from '../../api/base64.ts';
import { base64OfKey } from '../../api/key-bytes.ts';
import type { Manager } from '../../api/manager.ts';
import { codeIn } from '../../api/offered-token.ts';
import { Field } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { useAction } from '../../shell/action.ts';
import { useSession } from '../../shell/session.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type LoginName, nameOf } from '../own/person.ts';
import { factorKeys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

interface TypeTokenProps {
  readonly slot: number;
  readonly onDone: () => void;
  readonly onCancel: () => void;
  /** Further fields. */
  readonly children: ReactNode;
}

/** Bytes: RFC 4226 §4 R6 wants 16, the server takes 10. */
const shortest = 10;

export function TypeToken({ slot, onDone, onCancel, children }: TypeTokenProps) {
  const t = useTexts(factorsTexts);
  const own = useOwn();
  const toast = useToast();
  const dn = useOwnDn();
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState('');
  const [isKeyWrong, setKeyWrong] = useState(false);
  const named = nameOf(useSession().signedIn);
  const register = useAction({
    run: (token: TypedToken) => own((manager) => registerTyped(manager, { dn, id: slot, ...named }, token)),
    changes: factorKeys,
    hasChanged: (isRight) => isRight,
    after: (isRight) => {
      if (!isRight) return;
      toast({ tone: 'good', text: t('added') });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = base64OfKey(typed) ?? '';
    const isShort = fromBase64(key).length < shortest;
    setKeyWrong(isShort);
    if (!isShort) register.mutate({ key, otp: codeIn(code) });
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
        error={isKeyWrong ? t('keyWrong') : undefined}
      />
      <Field
        label={t('firstCode')}
        isRequired
        inputMode="numeric"
        autoComplete="off"
        value={code}
        onChange={setCode}
        error={!isKeyWrong && register.data === false ? t('firstCodeWrong') : undefined}
      />
      {children}
      <FormActions act={t('confirm')} isPending={register.isPending} onCancel={onCancel} />
    </form>
  );
}

interface TypedToken {
  /** Base64. */
  readonly key: string;
  readonly otp: string;
}

interface TokenPlace extends LoginName {
  readonly dn: string;
  readonly id: number;
}

/** False: the code is not one of the first. */
async function registerTyped(
  manager: Manager,
  { dn, id, username: userid, domain }: TokenPlace,
  { key, otp }: TypedToken,
): Promise<boolean> {
  const counter = await manager.Otp.HOTP_Verify({ otp, key, length: otp.length });
  if (counter === false) return false;
  // What is registered after the URI of its secret has as many digits as that says: as the device shows.
  await manager.Otp.HOTP_URI({ name: location.hostname, key, userid, domain, digits: otp.length });
  await manager.Otp.HOTP_Register({ dn, id, key, counter });
  return true;
}
