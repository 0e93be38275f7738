/** One entry: its attributes, and the actions on it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copy-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { download } from '../../kit/download.ts';
import { Menu } from '../../kit/menu.tsx';
import { Card, Facts } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { directoryTexts } from '../../texts/directory/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type Attributes, valuesOf } from './attributes.ts';
import { CreateForm } from './form/create-form.tsx';
import { EditForm } from './form/edit-form.tsx';
import { type EntryFormRights, useEntryFormRights } from './form/entry-form-rights.ts';
import { Members, memberAttributeOf } from './members.tsx';
import { nameOf } from './names.ts';
import { RemoveEntry } from './remove-entry.tsx';
import { RenameForm } from './rename-form.tsx';
import { useTree } from './tree/use-tree.ts';

interface EntryViewProps {
  readonly dn: string;
  /** To another entry; to none. */
  readonly onGo: (dn: string | undefined) => void;
}

type Act = 'edit' | 'create' | 'rename' | 'move' | 'remove';

export function EntryView({ dn, onGo }: EntryViewProps) {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  const [act, setAct] = useState<Act>();
  const entry = useQuery({
    queryKey: ['Get_User_Attrs', dn],
    queryFn: () => manager.Get_User_Attrs({ dn }),
  });
  const rights = useEntryFormRights(dn, entry.data ?? {});
  const close = () => setAct(undefined);
  const goTo = (to: string | undefined) => {
    close();
    onGo(to);
  };
  return (
    <>
      <Link href="/directory" className="beside-back">
        {t('back')}
      </Link>
      <Read query={entry} lines={8}>
        {(attributes) => (
          <>
            <Card title={nameOf(dn)} actions={<Acts dn={dn} rights={rights} onAct={setAct} />}>
              <Copyable text={dn} />
              <AttributeList attributes={attributes} />
            </Card>
            {memberAttributeOf(attributes) !== undefined && <Members dn={dn} attributes={attributes} />}
            {act === 'edit' && (
              <Dialog wide title={t('editTitle', { name: nameOf(dn) })} isOpen onClose={close}>
                <EditForm dn={dn} attributes={attributes} onClose={close} />
              </Dialog>
            )}
            {act === 'create' && (
              <Dialog wide title={t('createTitle', { name: nameOf(dn) })} isOpen onClose={close}>
                <CreateForm container={dn} mayCreate={rights.mayCreate} onClose={close} onCreated={goTo} />
              </Dialog>
            )}
            {(act === 'rename' || act === 'move') && (
              <Dialog title={t(act === 'move' ? 'move' : 'rename')} isOpen onClose={close}>
                <RenameForm dn={dn} act={act} onClose={close} onDone={goTo} />
              </Dialog>
            )}
            {act === 'remove' && (
              <RemoveEntry dn={dn} attributes={attributes} onClose={close} onDone={goTo} />
            )}
          </>
        )}
      </Read>
    </>
  );
}

interface ActsProps {
  readonly dn: string;
  readonly rights: EntryFormRights;
  readonly onAct: (act: Act) => void;
}

/** The actions of an entry, without those that would be refused. */
function Acts({ dn, rights, onAct }: ActsProps) {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  const tree = useTree();
  const save = useAction({
    run: async () => {
      // What is shown: where the tree is narrowed here, no more than that.
      const filter = tree.data?.filterBelow(dn);
      const narrowed = filter === undefined ? {} : ({ filter, scope: 'one' } as const);
      download('export.ldif', await manager.Export_LDAP_Objects({ basedn: dn, ...narrowed }));
      return filter === undefined;
    },
    done: (_, isWhole) => t(isWhole ? 'exported' : 'exportedNarrowed'),
    changes: [],
  });
  const more = [
    { id: 'rename', name: t('rename'), method: 'Rename_LDAP_Object', tone: 'plain' },
    { id: 'move', name: t('move'), method: 'Move_LDAP_Object', tone: 'plain' },
    { id: 'remove', name: t('remove'), method: 'Remove_LDAP_Object', tone: 'bad' },
  ] as const;
  const changes = more
    .filter(({ method }) => rights.may(method))
    .map(({ id, name, tone }) => ({ id, name, tone, onAction: () => onAct(id) }));
  const exporting = { id: 'export', name: t('export'), onAction: () => save.mutate() };
  const entries = rights.may('Export_LDAP_Objects') ? [exporting, ...changes] : changes;
  return (
    <>
      {rights.isEditable && (
        <Button size="small" onPress={() => onAct('edit')}>
          {t('edit')}
        </Button>
      )}
      {rights.isContainer && (
        <Button size="small" icon="plus" onPress={() => onAct('create')}>
          {t('create')}
        </Button>
      )}
      {entries.length > 0 && (
        <Menu label={t('acts')} entries={entries}>
          <Button size="small" icon="more" aria-label={t('acts')} />
        </Menu>
      )}
    </>
  );
}

function AttributeList({ attributes }: { readonly attributes: Attributes }) {
  const names = Object.keys(attributes).sort((one, other) => one.localeCompare(other));
  return (
    <Facts
      facts={names.map((name) => [
        name,
        <ul key={name}>
          {valuesOf(attributes, name).map((value) => (
            <li key={value} className="value">
              {value}
            </li>
          ))}
        </ul>,
      ])}
    />
  );
}
