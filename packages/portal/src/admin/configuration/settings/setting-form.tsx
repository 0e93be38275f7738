/** One setting, to be changed at run time: a choice where its values are few, a text, or JSON. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Manager } from '../../../api/manager.ts';
import { Button } from '../../../kit/button.tsx';
import { Field, Select } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { useAction } from '../../../shell/action.ts';
import { Read } from '../../../shell/read.tsx';
import { useSession } from '../../../shell/session.tsx';
import { configurationTexts } from '../../../texts/configuration/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { isMap, mergePatchOf } from './merge-patch.ts';

export type Setting = Awaited<ReturnType<Manager['List_Config']>>[number];

interface SettingFormProps {
  readonly setting: Setting;
  readonly onClose: () => void;
}

/** The settings at run time are read first: a map shows what was changed here, and not what the file has. */
export function SettingForm({ setting, onClose }: SettingFormProps) {
  const { manager } = useSession();
  const present = useQuery({ queryKey: ['Get_Config'], queryFn: () => manager.Get_Config({}) });
  return (
    <Read query={present}>
      {({ version, settings }) => (
        <Form
          {...{ setting, version, onClose }}
          before={isMap(settings) ? settings[setting.name] : undefined}
        />
      )}
    </Read>
  );
}

interface FormProps extends SettingFormProps {
  /** The version that the change is made on. */
  readonly version: number;
  /** The value at run time; undefined for none. */
  readonly before: unknown;
}

function Form({ setting, version, before, onClose }: FormProps) {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const { name, description, schema } = setting;
  const kind = kindOf(schema);
  const [typed, setTyped] = useState(() => textOf(before ?? setting.value, kind));
  const [comment, setComment] = useState('');
  const read = valueOf(typed, kind);
  const change = (settings: Readonly<Record<string, unknown>>) =>
    manager.Set_Config({ settings, version, ...(comment !== '' && { comment }) });
  const shared = {
    changes: [['List_Config'], ['Get_Config'], ['Config_History'], ['Get_Config_Objects']],
    after: onClose,
  };
  const save = useAction({
    ...shared,
    run: () => change({ [name]: mergePatchOf(before, read.value) }),
    done: () => t('settingSaved', { name }),
  });
  const reset = useAction({
    ...shared,
    run: () => change({ [name]: null }),
    done: () => t('settingReset', { name }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!read.isWrong) save.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft" lang="en">
        {description}
      </p>
      {kind.choices ? (
        <Select
          label={t('value')}
          value={typed}
          onChange={setTyped}
          choices={kind.choices.map((id) => ({ id, name: id }))}
        />
      ) : (
        <Field
          label={kind.isJson ? t('valueJson') : t('value')}
          value={typed}
          onChange={setTyped}
          multiline={kind.isJson}
          rows={10}
          mono
          spellCheck="false"
          error={read.isWrong ? t('wrongValue') : undefined}
          autoFocus
        />
      )}
      <Field label={t('comment')} value={comment} onChange={setComment} />
      {before !== undefined && (
        <Button isPending={reset.isPending} onPress={() => reset.mutate()}>
          {t('backToPreset')}
        </Button>
      )}
      <FormActions act={t('saveSetting')} isPending={save.isPending} onCancel={onClose} />
    </form>
  );
}

interface Kind {
  /** The values, where they are few. */
  readonly choices?: readonly string[];
  /** A number; else a text, or JSON. */
  readonly isNumber: boolean;
  readonly isJson: boolean;
}

function kindOf(schema: unknown): Kind {
  const { type, enum: words } = isMap(schema) ? schema : {};
  if (type === 'boolean') return { choices: ['true', 'false'], isNumber: false, isJson: true };
  if (Array.isArray(words)) return { choices: words.map(String), isNumber: false, isJson: false };
  if (type === 'integer' || type === 'number') return { isNumber: true, isJson: false };
  return { isNumber: false, isJson: type !== 'string' };
}

const textOf = (value: unknown, { isJson }: Kind): string =>
  value === null || value === undefined ? '' : isJson ? JSON.stringify(value, null, 2) : String(value);

function valueOf(text: string, { isNumber, isJson }: Kind): { value?: unknown; isWrong: boolean } {
  if (isNumber) return { value: Number(text), isWrong: !/^-?\d+$/.test(text) };
  if (!isJson) return { value: text, isWrong: text === '' };
  try {
    return { value: JSON.parse(text) as unknown, isWrong: false };
  } catch {
    return { isWrong: true };
  }
}
