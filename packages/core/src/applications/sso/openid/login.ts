/** The login to an OpenID Connect application: the login of the web services with its modes, limits and policies, and an SSO session. */

import {
  isUnlocked,
  type WebApplicationPolicies,
} from '../../../administration/policy/self/web-applications.ts';
import { publicRefusal } from '../../../events/failure.ts';
import type { ServiceError } from '../../../foundation/errors/errors.ts';
import { formFields } from '../../../foundation/http/form.ts';
import type { WebRequest } from '../../../foundation/http/http.ts';
import { type ChallengeOutcome, challengeFields } from '../../../login/challenge.ts';
import { loginAtPage } from '../../../login/login.ts';
import type { LoginOutcome } from '../../../login/request.ts';
import { loginApplication, type PageLoginView } from '../../../login/view.ts';
import type { AuthorizationRequest, LoginStep, OpenIdState } from '../../../ports/openid.ts';
import { type Random, randomWord } from '../../../ports/random.ts';
import { findSession, type SessionsView } from '../session.ts';
import { type LoginPage, loginPage, type SecondFactor } from './pages.ts';
import { type LoginOperations, startSharedSession } from './shared-session.ts';
import { asAcceptLanguage, wordsFor } from './words.ts';

export interface OpenIdLoginView extends SessionsView {
  readonly webapps: Pick<WebApplicationPolicies, 'find'>;
  readonly operations: LoginOperations;
  readonly login: PageLoginView;
  readonly random: Random;
  readonly config: { readonly default_language: string };
}

/** Longest body, in bytes. */
const longestForm = 16_384;

/** One request to the page: it is shown, or what somebody has entered is judged. @throws ServiceError `too_large`, `parse_error` */
export async function stepOfLogin(
  wanted: AuthorizationRequest,
  request: WebRequest,
  view: OpenIdLoginView & { readonly state: Pick<OpenIdState, 'put' | 'get'> },
): Promise<LoginStep> {
  const preferred = asAcceptLanguage(wanted.languages) || (request.headers.get('accept-language') ?? '');
  const page = (more: Partial<LoginPage> = {}): LoginStep => ({
    page: loginPage({
      words: wordsFor(preferred, view.config.default_language),
      application: wanted.client,
      redirectUri: wanted.redirectUri,
      ...more,
    }),
  });
  if (request.method !== 'POST') return page({ username: wanted.hint });
  const form = formFields(await request.body(longestForm));
  const asked = form.get('session');
  const known = asked === null ? undefined : await view.state.get(askedKind, asked);
  // Begun by the page of another login, perhaps under another policy, or elsewhere altogether.
  if (asked !== null && known?.uid !== wanted.uid) return page({ alert: 'over' });
  const username = known ? String(known.username) : (form.get('username') ?? '');
  const outcome = await judge({ form, username, wanted, request }, view);
  if (typeof outcome === 'string') return page({ username, ...afterRefusal(outcome, form) });
  if (outcome.kind === 'challenge') {
    await view.state.put(askedKind, outcome.session, { uid: wanted.uid, username }, longestLogin);
    return page({ username, wanted: wantedBy(outcome) });
  }
  const session = await startSharedSession(
    outcome.account,
    { client: wanted.client, source: request.address },
    view,
  );
  if (session === undefined) return page({ username, alert: 'wrong' });
  const { id: subject } = (await findSession(session, view)).session;
  if (await isLocked(subject, view)) {
    await view.operations.sso.stop({ session });
    return page({ alert: 'locked' });
  }
  return { session, subject };
}

/** To all but those whom an administrator lets in for a while. */
const isLocked = async (id: string, { webapps, store }: OpenIdLoginView): Promise<boolean> =>
  webapps.find('openid').locked && !(await isUnlocked({ word: 'openid', id }, store));

/** Which login asked for a code, and of whom. */
const askedKind = 'Asked';
/** The longest login in seconds. */
const longestLogin = 600;

interface Entered {
  readonly form: URLSearchParams;
  readonly username: string;
  readonly wanted: AuthorizationRequest;
  readonly request: WebRequest;
}

/** The reason why a login is refused, as the page shows it. */
type Alert = NonNullable<LoginPage['alert']>;

/** The browser is the caller, and the application is the client, as its policy is named. */
async function judge(
  { form, username, wanted, request: { address, port, signal } }: Entered,
  { login: view, random }: OpenIdLoginView,
): Promise<Exclude<LoginOutcome, { kind: 'refused' }> | Alert> {
  const session = form.get('session') ?? undefined;
  const shown = session === undefined ? { anyPassword: form.get('password') ?? '' } : answerIn(form);
  const door = { client: wanted.client, application: loginApplication(view), operation: 'OpenID Connect' };
  const transaction = { id: randomWord(random, 8), client: `${address}:${port}` };
  try {
    const asked = { view, address, transaction, signal };
    const outcome = await loginAtPage({ username, session, ...shown }, door, asked);
    return outcome.kind === 'refused' ? 'wrong' : outcome;
  } catch (error) {
    const { reason } = publicRefusal(error, view.log, {
      transaction: transaction.id,
      client: transaction.client,
    });
    return alerts[reason] ?? 'unavailable';
  }
}

const alerts: Partial<Readonly<Record<ServiceError['reason'], Alert>>> = {
  ...{ not_found: 'over', too_many_attempts: 'wrong', invalid_params: 'wrong' },
};

/** Reads the answer of a form: a code, or the assertion of a device. */
function answerIn(form: URLSearchParams): { readonly otp?: string; readonly assertion?: string } {
  const signed = form.get('u2fResponse') ?? '';
  if (signed !== '') return { assertion: signed };
  const code = form.get('code') ?? '';
  return code === '' ? {} : { otp: code };
}

function wantedBy(outcome: ChallengeOutcome): SecondFactor {
  const { message, session, u2fChallenge } = challengeFields(outcome);
  return { message, session, code: outcome.factor !== undefined, device: u2fChallenge };
}

/** A code may be typed again, as long as the session that asks for it lives. */
function afterRefusal(alert: Alert, form: URLSearchParams): Partial<LoginPage> {
  if (alert !== 'wrong') return { alert };
  const [session, message] = [form.get('session'), form.get('message')];
  if (session === null || message === null) return { alert: 'wrong' };
  const device = form.get('device') ?? undefined;
  const wanted = {
    session,
    message: message.slice(0, longestMessage),
    code: form.get('without') !== 'code',
    device,
  };
  return { alert: 'wrong', wanted };
}

/** Longest message that asks for a code, in characters. */
const longestMessage = 512;

export type StepOfLogin = typeof stepOfLogin;
