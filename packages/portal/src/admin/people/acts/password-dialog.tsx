/** Sets a password. */
import { type FormEvent, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { CopyButton } from '../../../kit/copy-button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Checkbox, Field } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { useAction } from '../../../shell/action.ts';
import { useRulesText } from '../../../shell/password-rules.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, usePerson, usePersonRead } from '../person/person.ts';

interface PasswordDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function PasswordDialog({ isOpen, onClose }: PasswordDialogProps) {
  const t = useTexts(peopleTexts);
  return (
    <Dialog title={t('setPassword')} isOpen={isOpen} onClose={onClose}>
      <PasswordForm onClose={onClose} />
    </Dialog>
  );
}

function PasswordForm({ onClose }: Pick<PasswordDialogProps, 'onClose'>) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const known = usePersonRead('SelfDesk.Password_Rules', () => manager.SelfDesk.Password_Rules({ dn }));
  const rules = useRulesText(known.data ?? {});
  const [password, setPassword] = useState('');
  const [isShown, setShown] = useState(false);
  const [change, setChange] = useState(false);
  const set = useAction({
    run: () => manager.Set_User_Password({ dn, password, ...(change && { change }) }),
    done: () => t('passwordSet'),
    changes: [personKey(dn)],
    after: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== '') set.mutate();
  };
  const makeUp = () => {
    setPassword(madeUp());
    setShown(true);
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label={t('newPassword')}
        description={[rules, t('passwordMore')].filter(Boolean).join(' ')}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoFocus
        isRequired
        value={password}
        onChange={setPassword}
      />
      <div className="row">
        <Button size="small" onPress={makeUp}>
          {t('generate')}
        </Button>
        {isShown && <CopyButton text={password} />}
      </div>
      <div className="stack-tight">
        <Checkbox isSelected={change} onChange={setChange}>
          {t('mustChange')}
        </Checkbox>
        <p className="field-description">{t('mustChangeMore')}</p>
      </div>
      <FormActions act={t('setPassword')} isPending={set.isPending} onCancel={onClose} />
    </form>
  );
}

/** No letter looks like another: it is read out on the phone. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Four groups of four out of 31 letters: 79 bits. */
function madeUp(): string {
  const groups = Array.from({ length: 4 }, () => Array.from({ length: 4 }, randomLetter).join(''));
  return groups.join('-').replace(/[a-z]/, (letter) => letter.toUpperCase());
}

/** Draws a letter; numbers above the last whole multiple are drawn again, so that no letter is likelier. */
function randomLetter(): string {
  const limit = 256 - (256 % letters.length);
  for (;;) {
    const [number = limit] = crypto.getRandomValues(new Uint8Array(1));
    if (number < limit) return letters.charAt(number % letters.length);
  }
}
