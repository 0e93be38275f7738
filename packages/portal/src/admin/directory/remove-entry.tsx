/** Asks for a confirmation before an entry is removed, and names what is removed with it. */
import { Confirm } from '../../kit/confirm.tsx';
import { useAction } from '../../shell/action.ts';
import { useSession } from '../../shell/session.tsx';
import { directoryTexts } from '../../texts/directory/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type Attributes, valuesOf } from './attributes.ts';
import { memberAttributeOf } from './members.tsx';
import { nameOf, parentOf } from './names.ts';
import { useTreeNews } from './tree/use-tree.ts';

interface RemoveEntryProps {
  readonly dn: string;
  readonly attributes: Attributes;
  readonly onClose: () => void;
  readonly onDone: (dn: string) => void;
}

export function RemoveEntry({ dn, attributes, onClose, onDone }: RemoveEntryProps) {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  const news = useTreeNews();
  const remove = useAction({
    run: () => news([dn], manager.Remove_LDAP_Object({ dn })),
    done: () => t('removed', { name: nameOf(dn) }),
    changes: [['Get_User_Attrs']],
    after: () => onDone(parentOf(dn)),
  });
  const members = memberAttributeOf(attributes);
  const count = Object.keys(attributes).length;
  const isAccount = valuesOf(attributes, 'objectClass').some((name) => /account$/i.test(name));
  const lost = [
    t('lostEntry', { dn }),
    t('lostAttributes', { count }),
    ...(members === undefined ? [] : [t('lostMembers', { count: valuesOf(attributes, members).length })]),
    ...(isAccount ? [t('lostTokens')] : []),
  ];
  return (
    <Confirm
      title={t('removeTitle', { name: nameOf(dn) })}
      lost={lost}
      act={t('remove')}
      isOpen
      isPending={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    />
  );
}
