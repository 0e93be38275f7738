/** The members of a group: found by name and added, or removed with an undo. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { noEntryRights } from '../../api/rights.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Card } from '../../kit/show.tsx';
import { Table } from '../../kit/table.tsx';
import { useAction } from '../../shell/action.ts';
import { useEntryRights } from '../../shell/entry-rights.ts';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { directoryTexts } from '../../texts/directory/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type Attributes, valuesOf } from './attributes.ts';
import { isSame, nameOf } from './names.ts';
import { entryPath } from './paths.ts';

/** Classes of groups, and where each keeps its members. */
const memberAttributes: ReadonlyMap<string, string> = new Map([
  ['groupofnames', 'member'],
  ['group', 'member'],
  ['groupofuniquenames', 'uniqueMember'],
]);

/** Undefined: it is no group whose members are DNs. */
export function memberAttributeOf(attributes: Attributes): string | undefined {
  const classes = valuesOf(attributes, 'objectClass').map((name) => name.toLowerCase());
  return classes.map((name) => memberAttributes.get(name)).find((name) => name !== undefined);
}

export function Members({ dn, attributes }: { readonly dn: string; readonly attributes: Attributes }) {
  const t = useTexts(directoryTexts);
  const mayFind = useSession().check.may('Find_Users');
  const attribute = memberAttributeOf(attributes) ?? 'member';
  const members = valuesOf(attributes, attribute);
  const rights = useEntryRights({ dn, attributes: [attribute] }).data ?? noEntryRights;
  const mayAdd = rights.may('Set_User_Attrs') && rights.mayWrite(attribute);
  const mayTake = rights.may('Remove_User_Attrs') && rights.mayWrite(attribute);
  const { add, remove } = useMembership(dn, attribute, { mayAdd, mayTake });
  return (
    <Card title={t('members')}>
      {mayAdd && mayFind && <AddMember members={members} onAdd={(member) => add.mutate(member)} />}
      <Table
        label={t('memberList')}
        rows={members}
        keyOf={(member) => member}
        empty={t('noMembers')}
        columns={[
          {
            id: 'name',
            name: t('name'),
            cell: (member) => <Link href={entryPath(member)}>{nameOf(member)}</Link>,
          },
          { id: 'dn', name: 'DN', cell: (member) => <span className="break soft">{member}</span> },
          ...(mayTake
            ? [
                {
                  id: 'acts',
                  name: t('acts'),
                  isNameHidden: true,
                  cell: (member: string) => (
                    <Button
                      size="small"
                      onPress={() => remove.mutate(member)}
                      aria-label={t('takeOutNamed', { name: nameOf(member) })}
                    >
                      {t('takeOut')}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
}

function useMembership(
  dn: string,
  attribute: string,
  { mayAdd, mayTake }: { readonly mayAdd: boolean; readonly mayTake: boolean },
) {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  const put = (member: string) =>
    manager.Set_User_Attrs({ dn, attrs: { [attribute]: [member] }, values: true });
  const take = (member: string) =>
    manager.Remove_User_Attrs({ dn, attrs: { [attribute]: [member] }, values: true });
  const changes = [['Get_User_Attrs', dn]];
  const add = useAction({
    run: put,
    done: (member) => t('added', { name: nameOf(member) }),
    ...(mayTake && { undo: take }),
    changes,
  });
  const remove = useAction({
    run: take,
    done: (member) => t('takenOut', { name: nameOf(member) }),
    ...(mayAdd && { undo: put }),
    changes,
  });
  return { add, remove };
}

interface AddMemberProps {
  readonly members: readonly string[];
  readonly onAdd: (dn: string) => void;
}

function AddMember({ members, onAdd }: AddMemberProps) {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['Find_Users', text, 8],
    queryFn: () => manager.Find_Users({ text, max: 8 }),
    enabled: text !== '',
  });
  return (
    <div className="stack-tight">
      <Field label={t('addMember')} type="search" value={typed} onChange={setTyped} />
      {text !== '' && (
        <Read query={found}>
          {(people) => (
            <ul className="link-list">
              {people.length === 0 && <li className="soft">{t('nobody')}</li>}
              {people.map(({ dn, name, logins }) => (
                <li key={dn} className="row-apart">
                  <span className="break">
                    {name} <span className="soft">{logins.join(', ')}</span>
                  </span>
                  <Button
                    size="small"
                    icon="plus"
                    isDisabled={members.some((member) => isSame(member, dn))}
                    onPress={() => onAdd(dn)}
                    aria-label={t('addNamed', { name })}
                  >
                    {t('add')}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Read>
      )}
    </div>
  );
}
