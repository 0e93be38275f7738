/** The form that renames or moves an entry. */
import { type FormEvent, useState } from 'react';
import { Field } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { useAction } from '../../shell/action.ts';
import { useSession } from '../../shell/session.tsx';
import { directoryTexts } from '../../texts/directory/index.ts';
import { useTexts } from '../../texts/text.ts';
import { movedTo, nameOf, parentOf, renamed } from './names.ts';
import { isLookedAt } from './paths.ts';
import { useTreeNews } from './tree/use-tree.ts';

interface RenameFormProps {
  readonly dn: string;
  readonly act: 'rename' | 'move';
  readonly onClose: () => void;
  readonly onDone: (dn: string) => void;
}

export function RenameForm({ dn, act, onClose, onDone }: RenameFormProps) {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  const news = useTreeNews();
  const isMove = act === 'move';
  const [value, setValue] = useState(isMove ? parentOf(dn) : nameOf(dn));
  const target = isMove ? movedTo(dn, value) : renamed(dn, value);
  const put = (from: string, to: string) =>
    isMove
      ? manager.Move_LDAP_Object({ dn: from, container: parentOf(to) })
      : manager.Rename_LDAP_Object({ dn: from, name: nameOf(to) });
  const change = useAction({
    run: () => news([dn, target], put(dn, target)),
    done: () => t(isMove ? 'moved' : 'renamed', { name: nameOf(target) }),
    undo: async () => {
      await news([target, dn], put(target, dn));
      if (isLookedAt(target)) onDone(dn);
    },
    changes: [['Get_User_Attrs']],
    after: () => onDone(target),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() !== '') change.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label={t(isMove ? 'container' : 'name')}
        value={value}
        onChange={setValue}
        autoFocus
        isRequired
        spellCheck="false"
      />
      <FormActions act={t(act)} isPending={change.isPending} onCancel={onClose} />
    </form>
  );
}
