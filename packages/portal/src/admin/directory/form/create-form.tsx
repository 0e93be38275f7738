/** The form for a new entry below a container: first its classes, then their required and allowed attributes. */
import { type FormEvent, useState } from 'react';
import { Checkbox, Field, Select } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { useAction } from '../../../shell/action.ts';
import { Read } from '../../../shell/read.tsx';
import { useSession } from '../../../shell/session.tsx';
import { directoryTexts } from '../../../texts/directory/index.ts';
import { useTexts } from '../../../texts/text.ts';
import type { Attributes } from '../attributes.ts';
import { nameBelow, nameOf } from '../names.ts';
import { isLookedAt } from '../paths.ts';
import { useTreeNews } from '../tree/use-tree.ts';
import { AddAttribute } from './add-attribute.tsx';
import { type DirectorySchema, factsOf, mayOf, mustOf, useSchema } from './schema.ts';
import { ValuesField } from './values-field.tsx';

interface CreateFormProps {
  readonly container: string;
  /** Entries of the class may be made there. */
  readonly mayCreate: (objectClass: string) => boolean;
  readonly onClose: () => void;
  readonly onCreated: (dn: string) => void;
}

export function CreateForm(props: CreateFormProps) {
  const schema = useSchema(props.container);
  return (
    <Read query={schema} lines={6}>
      {(found) => <Form schema={found} {...props} />}
    </Read>
  );
}

/** Common classes, with their naming attributes. */
const usual: ReadonlyMap<string, string> = new Map([
  ['inetOrgPerson', 'uid'],
  ['groupOfNames', 'cn'],
  ['organizationalUnit', 'ou'],
]);

const namingOf = (objectClass: string): string => usual.get(objectClass) ?? 'cn';

function Form({
  schema,
  container,
  mayCreate,
  onClose,
  onCreated,
}: CreateFormProps & { readonly schema: DirectorySchema }) {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  const choices = structuralOf(schema).filter(({ id }) => mayCreate(id));
  const [structural, setStructural] = useState(choices[0]?.id ?? '');
  const [auxiliary, setAuxiliary] = useState<readonly string[]>([]);
  const [naming, setNaming] = useState(namingOf(structural));
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<Attributes>({});
  const classes = [structural, ...auxiliary];
  const must = mustOf(schema, classes);
  const possible = [...must, ...mayOf(schema, classes)];
  const isNaming = (attribute: string) => attribute.toLowerCase() === naming.toLowerCase();
  const fields = [...must, ...Object.keys(typed).filter((one) => !must.includes(one))].filter(
    (one) => !isNaming(one) && possible.includes(one),
  );
  const dn = nameBelow(naming, name, container);
  const filled = Object.entries(typed).filter(([one, values]) => fields.includes(one) && values.length > 0);
  const attrs = Object.fromEntries(filled.map(([one, values]) => [one, [...values]]));
  const news = useTreeNews();
  const create = useAction({
    run: () => news([dn], manager.Create_LDAP_Object({ dn, attrs: { objectClass: classes, ...attrs } })),
    done: () => t('created', { name: nameOf(dn) }),
    undo: async () => {
      await news([dn], manager.Remove_LDAP_Object({ dn }));
      if (isLookedAt(dn)) onCreated(container);
    },
    changes: [['Get_User_Attrs', dn]],
    after: () => onCreated(dn),
  });
  const choose = (id: string) => {
    setStructural(id);
    setNaming(namingOf(id));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <div className="fields">
        <Select label={t('class')} value={structural} onChange={choose} choices={choices} />
        <Select
          label={t('namedBy')}
          value={naming}
          onChange={setNaming}
          choices={[...new Set([naming, ...possible])].map((id) => ({ id, name: id }))}
        />
        <Field label={t('name')} value={name} onChange={setName} isRequired autoFocus />
      </div>
      <Auxiliary schema={schema} mayCreate={mayCreate} chosen={auxiliary} onChange={setAuxiliary} />
      {fields.map((one) => (
        <ValuesField
          key={one}
          name={one}
          facts={factsOf(schema, one)}
          values={typed[one] ?? []}
          isRequired={must.includes(one)}
          onChange={(values) => setTyped((before) => ({ ...before, [one]: values }))}
        />
      ))}
      <AddAttribute
        names={possible.filter((one) => !fields.includes(one) && !isNaming(one))}
        onAdd={(one) => setTyped((before) => ({ ...before, [one]: [] }))}
      />
      <FormActions act={t('create')} isPending={create.isPending} onCancel={onClose} />
    </form>
  );
}

/** Those of every day first. */
function structuralOf({ classes }: DirectorySchema) {
  const names = classes.filter(({ kind }) => kind === 'structural').map(({ name }) => name);
  const others = names.filter((name) => !usual.has(name)).sort((one, other) => one.localeCompare(other));
  return [...[...usual.keys()].filter((name) => names.includes(name)), ...others].map((id) => ({
    id,
    name: id,
  }));
}

interface AuxiliaryProps extends Pick<CreateFormProps, 'mayCreate'> {
  readonly schema: DirectorySchema;
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

function Auxiliary({ schema, mayCreate, chosen, onChange }: AuxiliaryProps) {
  const t = useTexts(directoryTexts);
  const names = schema.classes
    .filter(({ kind, name }) => kind === 'auxiliary' && mayCreate(name))
    .map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <details>
      <summary>{t('moreClasses')}</summary>
      <div className="fields">
        {names.map((name) => (
          <Checkbox
            key={name}
            isSelected={chosen.includes(name)}
            onChange={(isOn) => onChange(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))}
          >
            {name}
          </Checkbox>
        ))}
      </div>
    </details>
  );
}
