/** Tokens that are enrolled by what came with them: keys, identifiers, serial numbers. */
import { type FormEvent, useState } from 'react';
import { base64OfHex, base64OfKey, base64OfModhex } from '../../../api/key-bytes.ts';
import type { Manager } from '../../../api/manager.ts';
import { Field } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, usePerson } from '../person/person.ts';
import type { EnrolProps } from './enrol-props.ts';
import type { Kind } from './kinds.ts';

export type KeyedKind = Exclude<Kind, 'app'>;

interface KeyField {
  readonly name: string;
  readonly label: keyof typeof peopleTexts.en;
  /** The parameter of the method; undefined: the text is no key. */
  readonly read: (text: string) => string | undefined;
  readonly usual?: string;
}

/** The typed values by field, and the user. */
interface Registration {
  readonly manager: Manager;
  readonly dn: string;
  readonly id: number;
  readonly read: (name: string) => string;
}

interface KeyedForm {
  readonly fields: readonly KeyField[];
  readonly register: (registration: Registration) => Promise<unknown>;
}

const wholeNumber = (text: string): string | undefined =>
  /^\d{1,15}$/.test(text.trim()) ? text.trim() : undefined;

const filled = (text: string): string | undefined => text.trim() || undefined;

const forms: Readonly<Record<KeyedKind, KeyedForm>> = {
  button: {
    fields: [
      { name: 'key', label: 'secretKey', read: base64OfKey },
      { name: 'counter', label: 'counter', read: wholeNumber, usual: '0' },
    ],
    register: ({ manager, dn, id, read }) =>
      manager.Otp.HOTP_Register({ dn, id, key: read('key'), counter: Number(read('counter')) }),
  },
  yubikey: {
    fields: [
      { name: 'public', label: 'publicId', read: base64OfModhex },
      { name: 'secret', label: 'privateId', read: base64OfHex },
      { name: 'key', label: 'aesKey', read: base64OfHex },
    ],
    register: ({ manager, dn, id, read }) =>
      manager.Otp.Yubikey_Register({
        ...{ dn, id, public: read('public'), secret: read('secret'), key: read('key') },
      }),
  },
  inventory: {
    fields: [
      { name: 'serial', label: 'inventorySerial', read: filled },
      { name: 'otp', label: 'inventoryCode', read: filled },
    ],
    register: ({ manager, dn, id, read }) =>
      manager.Otp.Inventory_Register({ dn, id, serial: read('serial'), otp: read('otp') }),
  },
};

export function KeyedToken({ kind, slot, onDone, onClose }: EnrolProps & { readonly kind: KeyedKind }) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const { fields, register } = forms[kind];
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const read = ({ name, usual = '', read }: KeyField) => read(typed[name] ?? usual);
  const values = new Map(fields.map((field) => [field.name, read(field)]));
  const enrol = useAction({
    run: () => register({ manager, dn, id: slot, read: (name) => values.get(name) ?? '' }),
    changes: [personKey(dn)],
    after: onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fields.every(({ name }) => values.get(name) !== undefined)) enrol.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      {fields.map((field, index) => (
        <Field
          key={field.name}
          label={t(field.label)}
          mono
          autoComplete="off"
          autoFocus={index === 0}
          value={typed[field.name] ?? field.usual ?? ''}
          onChange={(text) => setTyped((before) => ({ ...before, [field.name]: text }))}
          error={isTried && values.get(field.name) === undefined ? t('keyWrong') : undefined}
        />
      ))}
      <FormActions act={t('check')} isPending={enrol.isPending} onCancel={onClose} />
    </form>
  );
}
