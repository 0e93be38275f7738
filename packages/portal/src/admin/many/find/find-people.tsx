/** Finds users for a bulk action; single results can be deselected. */
import { type FormEvent, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Checkbox, Field } from '../../../kit/field.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { kitTexts } from '../../../texts/kit/index.ts';
import { manyTexts } from '../../../texts/many/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { readRoots } from '../../directory/tree/roots.ts';
import { type FoundPerson, type PeopleQuery, searchPeople } from './people-search.ts';

interface FindPeopleProps {
  readonly onTake: (dns: readonly string[]) => void;
  readonly onClose: () => void;
}

const nothing: PeopleQuery = { text: '', container: '', group: '', filter: '' };

export function FindPeople({ onTake, onClose }: FindPeopleProps) {
  const t = useTexts(manyTexts);
  const kit = useTexts(kitTexts);
  const { manager, rights } = useSession();
  const [query, setQuery] = useState(nothing);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const search = useAction({
    run: async () =>
      searchPeople(trimmed(query), { manager, roots: await readRoots(manager), mayRead: rights.mayRead }),
    changes: [],
    after: () => setLeft(new Set()),
  });
  const found = search.data;
  const chosen = found?.filter(({ dn }) => !left.has(dn)) ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form around the dialog would begin the work.
    event.stopPropagation();
    search.mutate();
  };
  const put = (key: keyof PeopleQuery) => ({
    value: query[key],
    onChange: (value: string) => setQuery((before) => ({ ...before, [key]: value })),
    spellCheck: 'false' as const,
  });
  return (
    <Dialog wide title={t('find')} isOpen onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <div className="fields">
          <Field label={t('findText')} type="search" autoFocus {...put('text')} />
          <Field label={t('findContainer')} {...put('container')} />
          <Field label={t('findGroup')} {...put('group')} />
          <Field label={t('findFilter')} placeholder="(department=Sales)" mono {...put('filter')} />
        </div>
        <div className="form-actions">
          <Button type="submit" icon="search" isPending={search.isPending}>
            {t('search')}
          </Button>
        </div>
      </form>
      {found && (
        <div className="stack-tight">
          <div className="row-apart">
            <span role="status">
              {t('found', { count: found.length })}, {t('chosen', { count: chosen.length })}
            </span>
            <div className="row">
              <Button size="small" onPress={() => setLeft(new Set())}>
                {t('chooseAll')}
              </Button>
              <Button size="small" onPress={() => setLeft(new Set(found.map(({ dn }) => dn)))}>
                {t('chooseNone')}
              </Button>
            </div>
          </div>
          <FoundTable found={found} left={left} onLeft={setLeft} />
        </div>
      )}
      <div className="form-actions">
        <Button onPress={onClose}>{kit('cancel')}</Button>
        <Button
          variant="primary"
          isDisabled={chosen.length === 0}
          onPress={() => onTake(chosen.map(({ dn }) => dn))}
        >
          {t('take', { count: chosen.length })}
        </Button>
      </div>
    </Dialog>
  );
}

const trimmed = ({ text, container, group, filter }: PeopleQuery): PeopleQuery => ({
  ...{ text: text.trim(), container: container.trim() },
  ...{ group: group.trim(), filter: filter.trim() },
});

interface FoundTableProps {
  readonly found: readonly FoundPerson[];
  /** DNs of those that are unticked. */
  readonly left: ReadonlySet<string>;
  readonly onLeft: (left: ReadonlySet<string>) => void;
}

function FoundTable({ found, left, onLeft }: FoundTableProps) {
  const t = useTexts(manyTexts);
  const tick = (dn: string, isOn: boolean) => {
    const next = new Set(left);
    if (isOn) next.delete(dn);
    else next.add(dn);
    onLeft(next);
  };
  const columns: readonly Column<FoundPerson>[] = [
    {
      id: 'choose',
      name: t('choose'),
      isNameHidden: true,
      cell: ({ dn, name }) => (
        <Checkbox
          aria-label={t('chooseNamed', { name })}
          isSelected={!left.has(dn)}
          onChange={(isOn) => tick(dn, isOn)}
        />
      ),
    },
    { id: 'name', name: t('name'), cell: ({ name }) => <span className="break">{name}</span> },
    { id: 'user', name: t('user'), cell: ({ login }) => <span className="break">{login}</span> },
    { id: 'mail', name: t('mail'), cell: ({ mail }) => <span className="break">{mail}</span> },
    { id: 'dn', name: 'DN', cell: ({ dn }) => <span className="break soft">{dn}</span> },
  ];
  return (
    <Table label={t('find')} columns={columns} rows={found} keyOf={({ dn }) => dn} empty={t('noneFound')} />
  );
}
