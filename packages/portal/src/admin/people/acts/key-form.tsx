/** A form of keys and serial numbers, with one button that enrols. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { useAction } from '../../../shell/action.ts';
import { kitTexts } from '../../../texts/kit/index.ts';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, usePerson } from '../person/person.ts';
import type { EnrolProps } from './enrol-dialog.tsx';

export interface KeyField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** What the method is given; undefined: that is none. */
  readonly read: (text: string) => string | undefined;
  readonly usual?: string;
}

interface KeyFormProps<Name extends string> extends Pick<EnrolProps, 'onDone' | 'onClose'> {
  readonly fields: readonly KeyField<Name>[];
  readonly register: (read: Readonly<Record<Name, string>>) => Promise<unknown>;
  readonly children?: ReactNode;
}

export function KeyForm<Name extends string>({ fields, register, onDone, onClose }: KeyFormProps<Name>) {
  const t = useTexts(peopleTexts);
  const kit = useTexts(kitTexts);
  const { dn } = usePerson();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const textOf = ({ name, usual = '' }: KeyField<Name>): string => typed[name] ?? usual;
  const enrol = useAction({ run: register, changes: [personKey(dn)], after: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const read = new Map(fields.map((field) => [field.name, field.read(textOf(field))]));
    if (isComplete(read)) enrol.mutate(Object.fromEntries(read) as Record<Name, string>);
  };
  return (
    <form className="form" onSubmit={submit}>
      {fields.map((field, index) => (
        <Field
          key={field.name}
          label={field.label}
          mono
          autoComplete="off"
          autoFocus={index === 0}
          value={textOf(field)}
          onChange={(text) => setTyped((before) => ({ ...before, [field.name]: text }))}
          error={isTried && field.read(textOf(field)) === undefined ? t('keyWrong') : undefined}
        />
      ))}
      <div className="form-actions">
        <Button onPress={onClose}>{kit('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={enrol.isPending}>
          {t('check')}
        </Button>
      </div>
    </form>
  );
}

const isComplete = <Name extends string>(
  read: ReadonlyMap<Name, string | undefined>,
): read is ReadonlyMap<Name, string> => [...read.values()].every((value) => value !== undefined);
