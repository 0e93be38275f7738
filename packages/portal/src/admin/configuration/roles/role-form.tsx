/** A role, to be made or changed: judged by the server as one of the configuration is. */
import { type FormEvent, useState } from 'react';
import type { Manager } from '../../../api/manager.ts';
import { Checkbox, Field } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { configurationTexts } from '../../../texts/configuration/index.ts';
import { useTexts } from '../../../texts/text.ts';

export type Role = Awaited<ReturnType<Manager['List_Roles']>>[number];

/** Returns the fields that `Set_Role` takes. */
export const rowOf = ({ at: _, source: __, ...row }: Role) => row;

const lists = [
  { key: 'members', hint: 'membersHint' },
  { key: 'methods', hint: 'methodsHint' },
  { key: 'subtrees', hint: 'subtreesHint' },
  { key: 'read', hint: 'attributesHint' },
  { key: 'write', hint: 'attributesHint' },
  { key: 'create', hint: 'createHint' },
  { key: 'interfaces', hint: 'interfacesHint' },
] as const;

type Lists = Readonly<Record<(typeof lists)[number]['key'], string>>;

/** The portal is where most of its members work. */
export const noRole: Role = {
  ...{ name: '', source: 'portal', at: null, members: [], interfaces: ['Portal'], subtrees: [] },
  ...{ methods: [], read: ['*'], write: [], create: [] },
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export function RoleForm({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [name, setName] = useState(role.name);
  const [typed, setTyped] = useState<Lists>(() => ({
    members: role.members.join('\n'),
    methods: role.methods.join('\n'),
    subtrees: role.subtrees.join('\n'),
    read: role.read.join('\n'),
    write: role.write.join('\n'),
    create: role.create.join('\n'),
    interfaces: role.interfaces.join('\n'),
  }));
  const [isTenant, setTenant] = useState(role.tenant ?? false);
  const save = useAction({
    run: () =>
      manager.Set_Role({
        name: name.trim(),
        members: linesOf(typed.members),
        methods: linesOf(typed.methods),
        subtrees: linesOf(typed.subtrees),
        read: linesOf(typed.read),
        write: linesOf(typed.write),
        create: linesOf(typed.create),
        interfaces: linesOf(typed.interfaces),
        tenant: isTenant,
      }),
    done: () => t('roleSaved', { name }),
    undo: () =>
      role.name === '' ? manager.Remove_Role({ name: name.trim() }) : manager.Set_Role(rowOf(role)),
    changes: [['List_Roles']],
    after: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label={t('roleName')}
        value={name}
        onChange={setName}
        isRequired
        isDisabled={role.name !== ''}
        autoFocus
      />
      {lists.map(({ key, hint }) => (
        <Field
          key={key}
          label={t(key)}
          description={t(hint)}
          value={typed[key]}
          onChange={(text) => setTyped((before) => ({ ...before, [key]: text }))}
          multiline
          rows={2}
          spellCheck="false"
        />
      ))}
      <Checkbox isSelected={isTenant} onChange={setTenant}>
        {t('tenantHint')}
      </Checkbox>
      <FormActions act={t('saveRole')} isPending={save.isPending} onCancel={onClose} />
    </form>
  );
}
