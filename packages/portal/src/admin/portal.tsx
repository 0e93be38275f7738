/** The Admin Portal: the sign-in, and the pages after it. */
import { Redirect, Route, Switch } from 'wouter';
import type { SignedIn } from '../api/session.ts';
import { Notice } from '../kit/show.tsx';
import { Frame } from '../shell/frame.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { useDoor, useSession } from '../shell/session.tsx';
import { SignInPage } from '../shell/sign-in/sign-in-page.tsx';
import { shellTexts } from '../texts/shell/index.ts';
import { useTexts } from '../texts/text.ts';
import { places } from './places.tsx';

export function AdminPortal() {
  const { door } = useDoor();
  const t = useTexts(shellTexts);
  if (door.kind === 'looking') return null;
  return door.kind === 'outside' ? <SignInPage site="admin" title={t('portal')} /> : <Inside />;
}

function Inside() {
  const t = useTexts(shellTexts);
  const { check, signedIn } = useSession();
  const open = places.filter(({ isFor }) => isFor(check));
  const ways = open.map(({ path, name, icon }) => ({ path, name: t(name), icon }));
  return (
    <Frame title={t('portal')} ways={ways}>
      {isByPasswordAlone(signedIn) && (
        <Notice tone="warn">{t('passwordAlone', { setting: 'admin_auth: MFA' })}</Notice>
      )}
      <Switch>
        <Route path="/">
          <Redirect to="/people" replace />
        </Route>
        {open.map(({ path, page }) => (
          <Route key={path} path={`${path}/*?`} component={page} />
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Frame>
  );
}

const isByPasswordAlone = ({ mode }: SignedIn): boolean => mode === 'UID' || mode === 'DN';
