/** The one SSH key of a person: what it is, another one in its place, and none any more. */
import { useQuery } from '@tanstack/react-query';
import { Empty, Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { keys, useOverview, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';
import { KeyCard } from './key-card.tsx';
import { NewSshKey } from './new-ssh-key.tsx';

export function SshKeyPage() {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const { data: overview, error, refetch } = useOverview();
  const key = useQuery({
    queryKey: keys.sshKey,
    queryFn: () => own((manager) => manager.SshKey.User_Key({ dn })),
    enabled: overview?.parts.sshkey === true,
  });
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
