/** The one SSH key of a person: their own, or one that is made here and shown once. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Card, Skeleton } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Failure } from '../../shell/failure.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { useOverview, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';
import { NewSshKey } from './new-ssh-key.tsx';

export function SshKeyPage() {
  const t = useTexts(selfTexts);
  const { data: overview, error, refetch } = useOverview();
  return (
    <div className="stack narrow">
      <h1>{t('sshKey')}</h1>
      {error && <Failure error={error} onRetry={refetch} />}
      {!overview && !error && <Skeleton lines={6} />}
      {overview?.parts.registerKey && <NewSshKey />}
      {overview?.parts.sshkey && <RemoveKey />}
    </div>
  );
}

function RemoveKey() {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const [isAsked, setAsked] = useState(false);
  const remove = useAction({
    run: () => {
      setAsked(false);
      return own((manager) => manager.SshKey.Key_Unregister({ dn }));
    },
    done: (_, isRemoved) => t(isRemoved === false ? 'noSshKey' : 'sshKeyRemoved'),
    changes: [],
  });
  return (
    <Card title={t('removeSshKey')}>
      <p className="soft">{t('removeSshKeyMore')}</p>
      <div>
        <Button onPress={() => setAsked(true)} isPending={remove.isPending}>
          {t('removeSshKey')}
        </Button>
      </div>
      <Confirm
        title={t('removeSshKey')}
        lost={[t('removeSshKeyLost')]}
        act={t('removeSshKey')}
        isOpen={isAsked}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsked(false)}
      />
    </Card>
  );
}
