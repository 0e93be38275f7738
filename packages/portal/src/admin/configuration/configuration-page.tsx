/** The configuration and state of the installation, with changes where they are possible at run time. */
import { Suspense } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { Skeleton } from '../../kit/show.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';
import { sections } from './sections.tsx';

const pathOf = (path: string): string => `/configuration/${path}`;

export function ConfigurationPage() {
  const t = useTexts(configurationTexts);
  const { check } = useSession();
  const [place] = useLocation();
  const open = sections.filter(({ isFor }) => isFor(check));
  const [first] = open;
  return (
    <div className="stack">
      <h1>{t('title')}</h1>
      <nav aria-label={t('title')}>
        <ul className="tab-list">
          {open.map(({ path, name }) => (
            <li key={path}>
              <Link
                href={pathOf(path)}
                className="tab"
                {...(place === pathOf(path) && { 'aria-current': 'page' as const })}
              >
                {t(name)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Switch>
          {open.map(({ path, section }) => (
            <Route key={path} path={pathOf(path)} component={section} />
          ))}
          <Route path="/configuration">{first && <Redirect to={pathOf(first.path)} replace />}</Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </div>
  );
}
