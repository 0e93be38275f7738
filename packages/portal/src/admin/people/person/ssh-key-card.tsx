/** The SSH key of the user. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Copyable } from '../../../kit/copy-button.tsx';
import { Empty } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, useMay, usePerson, usePersonRead } from './person.ts';
import { ReadCard } from './read-card.tsx';

export function SshKeyCard() {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const key = usePersonRead('SshKey.User_Key', () => manager.SshKey.User_Key({ dn }));
  const remove = useAction({
    run: () => manager.SshKey.Key_Unregister({ dn }),
    done: () => t('sshKeyRemoved'),
    changes: [personKey(dn)],
    after: () => setAsking(false),
  });
  const actions = key.data && may('SshKey.Key_Unregister') && (
    <Button size="small" onPress={() => setAsking(true)}>
      {t('remove')}
    </Button>
  );
  return (
    <ReadCard title={t('sshKey')} query={key} actions={actions}>
      {(found) =>
        found === false ? (
          <Empty>{t('noSshKey')}</Empty>
        ) : (
          <>
            <p className="break">
              {[found.type, found.bits, found.fingerprint, found.comment].filter(Boolean).join(' · ')}
            </p>
            {found.expires !== undefined && <p className="soft">{t('expires', { at: found.expires })}</p>}
            {found.pubkey !== undefined && <Copyable text={found.pubkey} />}
            <Confirm
              title={t('removeSshKeyTitle')}
              lost={[t('lostSshKey')]}
              act={t('removeSshKey')}
              isOpen={isAsking}
              isPending={remove.isPending}
              onConfirm={() => remove.mutate()}
              onClose={() => setAsking(false)}
            />
          </>
        )
      }
    </ReadCard>
  );
}
