/** Gives an emergency code, and shows it this once. */
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../../kit/dialog.tsx';
import { Checkbox, Select } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, usePerson } from '../person/person.ts';
import { ShownCode } from './shown-code.tsx';

interface EmergencyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function EmergencyDialog({ isOpen, onClose }: EmergencyDialogProps) {
  const t = useTexts(peopleTexts);
  return (
    <Dialog title={t('giveEmergency')} isOpen={isOpen} onClose={onClose}>
      <EmergencyForm onClose={onClose} />
    </Dialog>
  );
}

function EmergencyForm({ onClose }: Pick<EmergencyDialogProps, 'onClose'>) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const [seconds, setSeconds] = useState('3600');
  const [isOnce, setOnce] = useState(true);
  const [code, setCode] = useState<string>();
  const give = useAction({
    run: () => manager.Otp.Emerg_Register({ dn, expires: Number(seconds), ...(isOnce && { maxuse: 1 }) }),
    changes: [personKey(dn)],
    after: setCode,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    give.mutate();
  };
  if (code !== undefined) return <ShownCode code={code} onClose={onClose} />;
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">{t('emergencyMore')}</p>
      <Select
        label={t('goodFor')}
        value={seconds}
        onChange={setSeconds}
        choices={[
          { id: '3600', name: t('oneHour') },
          { id: '28800', name: t('eightHours') },
          { id: '86400', name: t('oneDay') },
        ]}
      />
      <Checkbox isSelected={isOnce} onChange={setOnce}>
        {t('onceOnly')}
      </Checkbox>
      <FormActions act={t('giveEmergency')} isPending={give.isPending} onCancel={onClose} />
    </form>
  );
}
