/** The form for the attributes of an entry, with an undo after saving. */
import { type FormEvent, useState } from 'react';
import { FormActions } from '../../../kit/form-actions.tsx';
import { useAction } from '../../../shell/action.ts';
import { Read } from '../../../shell/read.tsx';
import { useSession } from '../../../shell/session.tsx';
import { directoryTexts } from '../../../texts/directory/index.ts';
import { kitTexts } from '../../../texts/kit/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { type Attributes, changesOf, valuesOf } from '../attributes.ts';
import { changeEntry } from '../change-entry.ts';
import { rdnOf } from '../names.ts';
import { useTreeNews } from '../tree/use-tree.ts';
import { AddAttribute } from './add-attribute.tsx';
import { useEntryFormRights } from './entry-form-rights.ts';
import { factsOf, mayOf, mustOf, useSchema } from './schema.ts';
import { ValuesField } from './values-field.tsx';

interface EditFormProps {
  readonly dn: string;
  readonly attributes: Attributes;
  readonly onClose: () => void;
}

export function EditForm({ dn, attributes, onClose }: EditFormProps) {
  const t = useTexts(directoryTexts);
  const kit = useTexts(kitTexts);
  const { manager } = useSession();
  const { mayWrite } = useEntryFormRights(dn, attributes);
  const schema = useSchema(dn);
  const [edited, setEdited] = useState<Attributes>({});
  const changes = changesOf(attributes, edited);
  const back = changesOf(
    edited,
    Object.fromEntries(Object.keys(edited).map((name) => [name, valuesOf(attributes, name)])),
  );
  const news = useTreeNews();
  const save = useAction({
    run: () => news([dn], changeEntry(manager, dn, changes)),
    done: () => t('saved'),
    undo: () => news([dn], changeEntry(manager, dn, back)),
    changes: [['Get_User_Attrs', dn]],
    after: onClose,
  });
  const isChanged = Object.keys(changes.set).length + changes.removed.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save.mutate();
  };
  const naming = rdnOf(dn).split('=', 1)[0]?.toLowerCase();
  return (
    <Read query={schema} lines={6}>
      {(found) => {
        const classes = valuesOf(attributes, 'objectClass');
        const isEditable = (name: string) =>
          name.toLowerCase() !== naming && factsOf(found, name)?.readonly !== true && mayWrite(name);
        const own = [...Object.keys(attributes), ...Object.keys(edited)].filter(isEditable);
        const shown = [...new Map(own.map((name) => [name.toLowerCase(), name])).values()];
        const addable = [...mustOf(found, classes), ...mayOf(found, classes)].filter(
          (name) => isEditable(name) && !shown.some((one) => one.toLowerCase() === name.toLowerCase()),
        );
        return (
          <form className="form" onSubmit={submit}>
            {shown.map((name) => (
              <ValuesField
                key={name}
                name={name}
                facts={factsOf(found, name)}
                values={edited[name] ?? valuesOf(attributes, name)}
                onChange={(values) => setEdited((before) => ({ ...before, [name]: values }))}
              />
            ))}
            <AddAttribute
              names={addable}
              onAdd={(name) => setEdited((before) => ({ ...before, [name]: [] }))}
            />
            <FormActions
              act={kit('save')}
              isDisabled={!isChanged}
              isPending={save.isPending}
              onCancel={onClose}
            />
          </form>
        );
      }}
    </Read>
  );
}
