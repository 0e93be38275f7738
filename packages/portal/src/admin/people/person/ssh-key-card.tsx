/** The SSH key that servers are told of somebody; it is kept as DER (SubjectPublicKeyInfo), and shown as PEM. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fromBase64, toPem } from '../../../api/base64.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Copyable } from '../../../kit/copy-button.tsx';
import { Card, Empty } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, useMay, usePerson } from './person.ts';
import { Reading } from './read-card.tsx';

const publicKey = 'SshKey.PublicKey';

export function SshKeyCard() {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const key = useQuery({
    queryKey: [...personKey(dn), 'Get_User_Data', publicKey],
    queryFn: async () => {
      const data = await manager.Get_User_Data({ dn, data: [publicKey] });
      const stored: string | undefined = data[publicKey];
      return { text: stored === undefined ? undefined : toPem('PUBLIC KEY', fromBase64(stored)) };
    },
    enabled: isWanted,
  });
  const remove = useAction({
    run: () => manager.SshKey.Key_Unregister({ dn }),
    done: () => t('sshKeyRemoved'),
    changes: [personKey(dn)],
    after: () => setAsking(false),
  });
  const actions = key.data?.text !== undefined && may('SshKey.Key_Unregister') && (
    <Button size="small" onPress={() => setAsking(true)}>
      {t('remove')}
    </Button>
  );
  if (!may('Get_User_Data')) return null;
  return (
    <Card title={t('sshKey')} actions={actions}>
      {/* Reading data of a user is written down: nobody does it by looking at the page. */}
      {!isWanted && (
        <div>
          <Button size="small" onPress={() => setWanted(true)}>
            {t('show')}
          </Button>
        </div>
      )}
      <Reading query={key}>
        {({ text }) => (
          <>
            {text === undefined ? <Empty>{t('noSshKey')}</Empty> : <Copyable text={text} />}
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
        )}
      </Reading>
    </Card>
  );
}
