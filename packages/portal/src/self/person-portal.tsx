/** Self-service: the sign-in, and the pages of the user after it. */
import { Route, Switch } from 'wouter';
import { Frame, type Way } from '../shell/frame.tsx';
import { lazyPage } from '../shell/lazy-page.ts';
import { NotFound } from '../shell/not-found.tsx';
import { useDoor } from '../shell/session.tsx';
import { SignInPage } from '../shell/sign-in/sign-in-page.tsx';
import { selfTexts } from '../texts/self/index.ts';
import { shellTexts } from '../texts/shell/index.ts';
import { useTexts } from '../texts/text.ts';
import { OverviewPage } from './overview/overview-page.tsx';
import { useOverview } from './own/reading.ts';
import { StepUpProvider } from './own/step-up.tsx';

const FactorsPage = lazyPage('FactorsPage', () => import('./factors/factors-page.tsx'));
const PasswordPage = lazyPage('PasswordPage', () => import('./password/password-page.tsx'));
const SshKeyPage = lazyPage('SshKeyPage', () => import('./ssh-key/ssh-key-page.tsx'));
const ActivityPage = lazyPage('ActivityPage', () => import('./activity/activity-page.tsx'));

export function PersonPortal() {
  const { door } = useDoor();
  const t = useTexts(shellTexts);
  if (door.kind === 'looking') return null;
  if (door.kind === 'outside')
    return (
      <SignInPage site="self" title={t('selfService')}>
        <OtherWaysIn {...door.door} />
      </SignInPage>
    );
  return (
    <StepUpProvider>
      <Inside />
    </StepUpProvider>
  );
}

function Inside() {
  const t = useTexts(selfTexts);
  const site = useTexts(shellTexts);
  const { data: overview } = useOverview();
  const ways: readonly (Way | false | undefined)[] = [
    { path: '/', name: t('overview'), icon: 'home' },
    overview?.parts.otp && { path: '/factors', name: t('factors'), icon: 'phone' },
    overview?.parts.password && { path: '/password', name: t('password'), icon: 'lock' },
    overview?.parts.sshkey && { path: '/ssh-key', name: t('sshKey'), icon: 'code' },
    { path: '/activity', name: t('activity'), icon: 'clock' },
  ];
  return (
    <Frame title={site('selfService')} ways={ways.filter((way) => !!way)}>
      <Switch>
        <Route path="/" component={OverviewPage} />
        <Route path="/factors" component={FactorsPage} />
        <Route path="/password" component={PasswordPage} />
        <Route path="/ssh-key" component={SshKeyPage} />
        <Route path="/activity" component={ActivityPage} />
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Frame>
  );
}

/** Other ways in: a link that is sent, where the installation sends some. */
function OtherWaysIn({ resetUrl }: { readonly resetUrl?: string }) {
  const t = useTexts(selfTexts);
  if (resetUrl === undefined) return null;
  return (
    <nav aria-label={t('otherWays')} className="sign-in-ways">
      <a href={resetUrl}>{t('forgot')}</a>
    </nav>
  );
}
