/** A dialog that names a factor. */
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { useAction } from '../../shell/action.ts';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { factorKeys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

export interface NamedFactor {
  readonly factor: 'TOKEN' | 'FIDO2' | 'LIST';
  readonly id?: number;
}

/** Longest name in characters, as the server permits. */
export const longestName = 64;

/** @param after called when it has a name, or none any more */
export function useRenaming(named: NamedFactor, after: () => void = () => undefined) {
  const t = useTexts(factorsTexts);
  const own = useOwn();
  const dn = useOwnDn();
  return useAction({
    run: (name: string) => own((manager) => manager.Otp.Factor_Rename({ dn, ...named, name: name.trim() })),
    done: () => t('renamed'),
    changes: factorKeys,
    after,
  });
}

interface RenameDialogProps {
  readonly of: NamedFactor;
  /** The present name. */
  readonly called: string;
  /** The name that it was given. */
  readonly name: string | undefined;
  readonly onClose: () => void;
}

export function RenameDialog({ of, called, name = '', onClose }: RenameDialogProps) {
  const t = useTexts(factorsTexts);
  const [wanted, setWanted] = useState(name);
  const rename = useRenaming(of, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(wanted);
  };
  return (
    <Dialog title={t('renameTitle', { name: called })} isOpen onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <NameField value={wanted} onChange={setWanted} autoFocus />
        <FormActions act={t('rename')} isPending={rename.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface NameFieldProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly autoFocus?: boolean;
}

/** May be left empty. */
export function NameField(props: NameFieldProps) {
  const t = useTexts(factorsTexts);
  return (
    <Field
      {...props}
      label={t('deviceName')}
      description={t('nameMore')}
      autoComplete="off"
      maxLength={longestName}
    />
  );
}
