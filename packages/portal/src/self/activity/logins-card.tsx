/** Recent logins of the user, with advice about one that is not the user's. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { momentOf } from '../../api/moment.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Card, Empty, Moment, Skeleton } from '../../kit/show.tsx';
import { EventWords, useProgram } from '../../shell/event-text.tsx';
import { Failure } from '../../shell/failure.tsx';
import { kitTexts } from '../../texts/kit/index.ts';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { OwnLogin } from '../own/calls.ts';
import { keys, useOverview, useOwnRead } from '../own/reading.ts';
import { useEndSessions } from './ending.ts';

export function LoginsCard() {
  const t = useTexts(selfTexts);
  const [isStrange, setStrange] = useState(false);
  const {
    data: logins,
    error,
    refetch,
  } = useOwnRead(keys.logins, (manager, dn) => manager.SelfDesk.Recent_Logins({ dn }));
  const actions = (
    <Button size="small" icon="warning" onPress={() => setStrange(true)}>
      {t('notMe')}
    </Button>
  );
  return (
    <Card title={t('logins')} actions={actions}>
      {error && <Failure error={error} onRetry={refetch} />}
      {!logins && !error && <Skeleton lines={5} />}
      {logins?.length === 0 && <Empty>{t('noLogins')}</Empty>}
      {logins && logins.length > 0 && (
        <ol className="entry-list">
          {logins.map((login) => (
            <LoginRow key={JSON.stringify(login)} login={login} />
          ))}
        </ol>
      )}
      {isStrange && <NotMe onClose={() => setStrange(false)} />}
    </Card>
  );
}

/** Returns the place of a login: as the calling system reports it, else the browser's address. */
const placeOf = ({ source, client }: OwnLogin): string =>
  source === '' ? client.replace(/:\d+$/, '') : source;

function LoginRow({ login }: { readonly login: OwnLogin }) {
  const programOf = useProgram();
  const program = programOf(login.meaning) ?? programOf({ ...login.meaning, program: login.application });
  const facts = [program, placeOf(login)].filter((fact) => fact !== '');
  return (
    <li className="entry">
      <strong>
        <Moment at={momentOf(login.time)} />
      </strong>
      <EventWords event={login} />
      <p className="soft break">{facts.join(' · ')}</p>
    </li>
  );
}

/** Nobody else is in any more, and nobody gets in again. */
function NotMe({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(selfTexts);
  const common = useTexts(kitTexts);
  const [, goTo] = useLocation();
  const end = useEndSessions();
  const { data: overview } = useOverview();
  return (
    <Dialog title={t('notMe')} isOpen onClose={onClose} role="alertdialog">
      <p>{t('notMeMore')}</p>
      <div className="form-actions">
        <Button onPress={onClose} autoFocus>
          {common('cancel')}
        </Button>
        <Button isPending={end.isPending} onPress={() => end.mutate()}>
          {t('endSessions')}
        </Button>
        {overview?.parts.password && (
          <Button variant="primary" onPress={() => goTo('/password')}>
            {t('changePassword')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
