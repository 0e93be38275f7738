/** The password of a user in a session of an application: judged as by a login, with its limits. */
import { modeSettings } from '../../administration/policy/login-mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Account } from '../account/account.ts';
import type { LoginAttempt } from '../attempt/evidence.ts';
import type { Visit } from '../attempt/login-visit.ts';
import type { LoginSecrets } from '../login-request.ts';
import { loginSettings } from '../settings.ts';

/** Secrets of the user of a session, to be judged as a login of it. */
export interface AttemptInSession extends Omit<LoginAttempt, 'evidence'> {
  readonly secrets: LoginSecrets;
}

/** What is to be shown is ours to say: neither the settings of one-time passwords nor a request do, and nothing is asked for later. */
export function attemptFor(
  { visit, account }: { readonly visit: Visit; readonly account: Account },
  { password, mode }: { readonly password: string | undefined; readonly mode: 'LDAP' | 'LDAPOTP' },
  { clock }: { readonly clock: Pick<Clock, 'now'> },
): AttemptInSession {
  const forced = [
    [modeSettings.LoginMode.name, mode],
    [loginSettings.ChallengeMode.name, 'No'],
  ] as const;
  const settings = new Map([...account.settings, ...forced]);
  const found = { dn: account.dn, account: { ...account, settings, isRaised: true } };
  return { visit, found, begun: clock.now(), secrets: { anyPassword: password ?? '' } };
}
