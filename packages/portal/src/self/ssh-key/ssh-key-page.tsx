/** The page of the user's SSH key: shows, replaces and removes it. */
import { Empty, Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { keys, useOverview, useOwnRead } from '../own/reading.ts';
import { KeyCard } from './key-card.tsx';
import { NewSshKey } from './new-ssh-key.tsx';

export function SshKeyPage() {
  const t = useTexts(selfTexts);
  const { data: overview, error, refetch } = useOverview();
  const key = useOwnRead(
    keys.sshKey,
    (manager, dn) => manager.SshKey.User_Key({ dn }),
    overview?.parts.sshkey === true,
  );
  const there = key.data || undefined;
  return (
    <div className="stack narrow">
      <h1>{t('sshKey')}</h1>
      {error && <Failure error={error} onRetry={refetch} />}
      {key.error && <Failure error={key.error} onRetry={key.refetch} />}
      {key.data === undefined && !error && !key.error && <Skeleton lines={6} />}
      {key.data === false && <Empty>{t('noSshKey')}</Empty>}
      {there && <KeyCard of={there} />}
      {overview?.parts.registerKey && key.data !== undefined && (
        <NewSshKey before={there} type={overview.sshKeyType} />
      )}
    </div>
  );
}
