/** The overview of self-service: whether the user has a second factor, and the actions that are open. */
import { Link } from 'wouter';
import { Icon, type IconName } from '../../kit/icons.tsx';
import { Badge, Card, Facts, Notice, Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useSession } from '../../shell/session.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { Overview } from '../own/calls.ts';
import { nameOf } from '../own/person.ts';
import { useOverview } from '../own/reading.ts';

export function OverviewPage() {
  const t = useTexts(selfTexts);
  const { data: overview, error, refetch } = useOverview();
  return (
    <div className="stack">
      <h1 className="break">{overview?.name ? t('hello', { name: overview.name }) : t('overview')}</h1>
      {error && <Failure error={error} onRetry={refetch} />}
      {!overview && !error && <Skeleton lines={6} />}
      {overview && (
        <>
          <Protection overview={overview} />
          <Doings overview={overview} />
          <Details overview={overview} />
        </>
      )}
    </div>
  );
}

function Protection({ overview: { factors, parts } }: { readonly overview: Overview }) {
  const t = useTexts(selfTexts);
  if (!parts.otp) return null;
  const isSafe = factors > 0;
  return (
    <Notice tone={isSafe ? 'good' : 'warn'}>
      <p>
        <strong>{t(isSafe ? 'safe' : 'unsafe')}</strong>
      </p>
      <p>{isSafe ? t(factors > 1 ? 'safeMore' : 'safeOnce') : t('unsafeMore')}</p>
    </Notice>
  );
}

interface Doing {
  readonly path: string;
  readonly icon: IconName;
  readonly name: string;
  readonly more: string;
}

function Doings({ overview: { parts } }: { readonly overview: Overview }) {
  const t = useTexts(selfTexts);
  const doings: readonly (Doing | false)[] = [
    parts.otp && {
      ...{ path: '/factors', icon: 'phone' as const },
      ...{ name: t('factors'), more: t('factorsMore') },
    },
    parts.password && { path: '/password', icon: 'lock', name: t('password'), more: t('passwordDoing') },
    parts.sshkey && { path: '/ssh-key', icon: 'code', name: t('sshKey'), more: t('sshKeyDoing') },
    { path: '/activity', icon: 'clock', name: t('activity'), more: t('activityMore') },
  ];
  return (
    <ul className="doings">
      {doings.map(
        (doing) =>
          doing && (
            <li key={doing.path}>
              <Link href={doing.path} className="doing">
                <Icon name={doing.icon} />
                <span>
                  <strong>{doing.name}</strong>
                  <span className="soft">{doing.more}</span>
                </span>
              </Link>
            </li>
          ),
      )}
    </ul>
  );
}

function Details({ overview: { name, mail, mobile } }: { readonly overview: Overview }) {
  const t = useTexts(selfTexts);
  const { username, domain } = nameOf(useSession().signedIn);
  const facts = [
    [t('loginName'), username],
    [t('fullName'), name],
    [t('mail'), mail],
    [t('mobile'), mobile],
  ] as const;
  return (
    <Card title={t('details')} actions={<Badge>{domain}</Badge>}>
      <Facts facts={facts.flatMap(([title, value]) => (value ? [[title, value] as const] : []))} />
    </Card>
  );
}
