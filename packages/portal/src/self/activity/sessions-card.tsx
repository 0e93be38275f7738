/** Sessions of the user: at this page, and in applications with single sign-on. */
import type { ReactNode } from 'react';
import { momentOf } from '../../api/moment.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, Card, Moment, Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { OwnPage, OwnSharedSession } from '../own/calls.ts';
import { keys, useOwnRead } from '../own/reading.ts';
import { useEndOthers, useEndSession, useEndSessions } from './ending.ts';
import { browserName } from './program.ts';

export function SessionsCard() {
  const t = useTexts(selfTexts);
  const end = useEndSessions();
  const endOthers = useEndOthers();
  const { data, error, refetch } = useOwnRead(keys.sessions, (manager, dn) =>
    manager.batch((m) => [m.SelfDesk.User_Sessions({ dn }), m.Sso.User_Sessions({ dn })] as const),
  );
  const [pages = [], shared = []] = data ?? [];
  return (
    <Card title={t('sessions')}>
      <p className="soft">{t('sessionsMore')}</p>
      {error && <Failure error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton lines={3} />}
      <ul className="entry-list">
        {pages.map((page) => (
          <PageRow key={page.id} page={page} />
        ))}
        {shared.map((session) => (
          <SharedRow key={session.id} session={session} />
        ))}
      </ul>
      <div className="row">
        {pages.length + shared.length > 1 && (
          <Button isPending={endOthers.isPending} onPress={() => endOthers.mutate()}>
            {t('endOthers')}
          </Button>
        )}
        <Button icon="leave" isPending={end.isPending} onPress={() => end.mutate()}>
          {t('endSessions')}
        </Button>
      </div>
    </Card>
  );
}

function PageRow({ page: { id, program, address, begun, used, own } }: { readonly page: OwnPage }) {
  const t = useTexts(selfTexts);
  const end = useEndSession();
  const name = browserName(program) || t('someProgram');
  return (
    <SessionRow
      name={name}
      place={address}
      begun={begun}
      used={used}
      act={
        own ? (
          <Badge tone="good">{t('thisSession')}</Badge>
        ) : (
          <EndButton
            name={name}
            isPending={end.isPending}
            onPress={() => end.mutate({ id, isShared: false })}
          />
        )
      }
    />
  );
}

function SharedRow({ session: { id, client, source = '', begun } }: { readonly session: OwnSharedSession }) {
  const t = useTexts(selfTexts);
  const end = useEndSession();
  const name = client ?? t('someApplication');
  return (
    <SessionRow
      name={name}
      place={source}
      begun={begun}
      act={
        <EndButton name={name} isPending={end.isPending} onPress={() => end.mutate({ id, isShared: true })} />
      }
    />
  );
}

interface SessionRowProps {
  readonly name: string;
  /** Empty: not known. */
  readonly place: string;
  readonly begun: string;
  /** Left out: not known. */
  readonly used?: string;
  readonly act: ReactNode;
}

function SessionRow({ name, place, begun, used, act }: SessionRowProps) {
  const t = useTexts(selfTexts);
  return (
    <li className="entry">
      <div className="row-apart">
        <div className="entry-text">
          <strong className="break">{name}</strong>
          {place !== '' && <p className="soft break">{place}</p>}
          <p className="soft">
            {t('sessionBegun')} <Moment at={momentOf(begun)} />
            {used !== undefined && (
              <>
                {' · '}
                {t('sessionUsed')} <Moment at={momentOf(used)} />
              </>
            )}
          </p>
        </div>
        {act}
      </div>
    </li>
  );
}

interface EndButtonProps {
  readonly name: string;
  readonly isPending: boolean;
  readonly onPress: () => void;
}

function EndButton({ name, ...press }: EndButtonProps) {
  const t = useTexts(selfTexts);
  return (
    <Button size="small" {...press} aria-label={t('endSessionOf', { name })}>
      {t('endSession')}
    </Button>
  );
}
