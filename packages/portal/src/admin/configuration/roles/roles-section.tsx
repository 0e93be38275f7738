/** Roles: those of the configuration with their paths, and those that are made here. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Badge, Card, Empty, Facts } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { Read } from '../../../shell/read.tsx';
import { useSession } from '../../../shell/session.tsx';
import { configurationTexts } from '../../../texts/configuration/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { noRole, type Role, RoleForm, rowOf } from './role-form.tsx';

export function RolesSection() {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [edited, setEdited] = useState<Role>();
  const [leaving, setLeaving] = useState<Role>();
  const roles = useQuery({ queryKey: ['List_Roles'], queryFn: () => manager.List_Roles({}) });
  const remove = useAction({
    run: ({ name }: Role) => manager.Remove_Role({ name }),
    done: ({ name }) => t('roleRemoved', { name }),
    undo: (role) => manager.Set_Role(rowOf(role)),
    changes: [['List_Roles']],
    after: () => setLeaving(undefined),
  });
  return (
    <>
      <div className="row-apart">
        <p className="soft">{t('roleHint')}</p>
        <Button variant="primary" icon="plus" onPress={() => setEdited(noRole)}>
          {t('newRole')}
        </Button>
      </div>
      <Read query={roles}>
        {(all) => (
          <>
            {all.length === 0 && <Empty>{t('noRoles')}</Empty>}
            {all.map((role) => (
              <RoleCard key={role.name} role={role} onEdit={setEdited} onRemove={setLeaving} />
            ))}
          </>
        )}
      </Read>
      {edited && (
        <Dialog wide title={edited.name || t('newRole')} isOpen onClose={() => setEdited(undefined)}>
          <RoleForm role={edited} onClose={() => setEdited(undefined)} />
        </Dialog>
      )}
      <Confirm
        title={t('removeRoleTitle', { name: leaving?.name ?? '' })}
        lost={[t('lostRole', { members: leaving?.members.join('; ') ?? '' })]}
        act={t('remove')}
        isOpen={leaving !== undefined}
        isPending={remove.isPending}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => leaving && remove.mutate(leaving)}
      />
    </>
  );
}

interface RoleCardProps {
  readonly role: Role;
  readonly onEdit: (role: Role) => void;
  readonly onRemove: (role: Role) => void;
}

function RoleCard({ role, onEdit, onRemove }: RoleCardProps) {
  const t = useTexts(configurationTexts);
  const { name, at, source } = role;
  const lines = [
    [t('members'), role.members],
    [t('subtrees'), role.subtrees],
    [t('methods'), role.methods],
    [t('read'), role.read],
    [t('write'), role.write],
    [t('create'), role.create],
    [t('interfaces'), role.interfaces],
    [t('tenant'), role.tenant ? [t('tenantHint')] : []],
  ] as const;
  const actions =
    source === 'portal' ? (
      <>
        <Badge tone="accent">{t('roleOfPortal')}</Badge>
        <Button size="small" onPress={() => onEdit(role)}>
          {t('edit')}
        </Button>
        <Button size="small" onPress={() => onRemove(role)}>
          {t('remove')}
        </Button>
      </>
    ) : (
      <Badge>{t('roleAt', { at: at ?? '' })}</Badge>
    );
  return (
    <Card title={name} actions={actions}>
      <Facts
        facts={lines
          .filter(([, values]) => values.length > 0)
          .map(([key, values]) => [key, values.join('; ')])}
      />
    </Card>
  );
}
