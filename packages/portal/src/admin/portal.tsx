/** The Admin Portal: the door, and behind it the pages. */
import { type ComponentType, lazy } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Frame, type Way } from '../shell/frame.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { useDoor } from '../shell/session.tsx';
import { shellTexts } from '../texts/shell/index.ts';
import { useTexts } from '../texts/text.ts';
import { SignInPage } from './sign-in/sign-in-page.tsx';

/** A page is loaded when somebody goes there. */
const page = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await load())[name] }));

const PeoplePage = page('PeoplePage', () => import('./people/people-page.tsx'));

export function AdminPortal() {
  const { door } = useDoor();
  if (door.kind === 'looking') return null;
  return door.kind === 'outside' ? <SignInPage /> : <Inside />;
}

function Inside() {
  const t = useTexts(shellTexts);
  const ways: readonly Way[] = [{ path: '/people', name: t('people'), icon: 'people' }];
  return (
    <Frame title={t('portal')} ways={ways}>
      <Switch>
        <Route path="/">
          <Redirect to="/people" replace />
        </Route>
        <Route path="/people/*?" component={PeoplePage} />
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Frame>
  );
}
