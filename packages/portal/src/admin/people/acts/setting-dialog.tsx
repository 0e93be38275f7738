/** Sets or removes a setting of a user. */
import { type FormEvent, useState } from 'react';
import type { Manager } from '../../../api/manager.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { Field } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { Notice } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { kitTexts } from '../../../texts/kit/index.ts';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, usePerson } from '../person/person.ts';

export type Explained = Awaited<ReturnType<Manager['Explain_User_Settings']>>[string];

export type NamedSetting = Explained & { readonly name: string };

interface SettingDialogProps {
  readonly setting: NamedSetting | undefined;
  readonly onClose: () => void;
}

export function SettingDialog({ setting, onClose }: SettingDialogProps) {
  const t = useTexts(peopleTexts);
  return (
    <Dialog
      title={t('changeSetting', { name: setting?.name ?? '' })}
      isOpen={setting !== undefined}
      onClose={onClose}
    >
      {setting && <SettingForm setting={setting} onClose={onClose} />}
    </Dialog>
  );
}

type Settings = Parameters<Manager['Set_User_Settings']>[0]['settings'];

function SettingForm({ setting, onClose }: { readonly setting: NamedSetting; readonly onClose: () => void }) {
  const t = useTexts(peopleTexts);
  const kit = useTexts(kitTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const { name } = setting;
  const before = ownOf(setting);
  const [value, setValue] = useState(before ?? '');
  const write = (own: string | null) => {
    const settings: Settings = { [name]: own };
    return manager.Set_User_Settings({ dn, settings });
  };
  const change = useAction({
    run: (own: string | null) => write(own),
    undo: () => write(before),
    done: () => t('settingChanged', { name }),
    changes: [personKey(dn)],
    after: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(value === '' ? null : value);
  };
  return (
    <form className="form" onSubmit={submit}>
      {setting.unsupported !== undefined && (
        <Notice tone="warn">{t('noEffectMore', { why: setting.unsupported })}</Notice>
      )}
      <Field
        label={t('value')}
        description={t('changeMore')}
        placeholder={setting.value}
        value={value}
        onChange={setValue}
        autoFocus
      />
      <FormActions act={kit('save')} isPending={change.isPending} onCancel={onClose} />
    </form>
  );
}

/** The value that the user has: in force, or covered by a client's. */
const ownOf = ({ layer, value, overridden }: Explained): string | null =>
  [{ layer, value }, ...overridden].find((one) => one.layer === 'user')?.value ?? null;
