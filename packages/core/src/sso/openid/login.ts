/** A login to an application: the one of the web services, with its modes, limits and policies, and a session that several sites share. */
import { ServiceError } from '../../errors/errors.ts';
import type { WebRequest } from '../../http/http.ts';
import type { LoginStep, OpenIdState, WantedLogin } from '../../http/openid.ts';
import { isUnlocked, type WebApplicationPolicies } from '../../policy/self/web-applications.ts';
import { findSession, type SessionsView } from '../session.ts';
import { type LoginPage, loginPage, type SecondFactor } from './pages.ts';
import { asAcceptLanguage, wordsFor } from './words.ts';

/** What comes of an operation of the web services in process. */
interface Told {
  readonly code: number;
  readonly error?: string | undefined;
  readonly message?: string | undefined;
  readonly session?: string | undefined;
  readonly otpChallenge?: string | undefined;
  readonly u2fChallenge?: string | undefined;
}

/** The operations that a login goes by, in process. */
export interface LoginOperations {
  readonly otp: {
    simpleLogin(request: {
      readonly username: string;
      readonly anyPassword: string;
      readonly client: string;
      readonly source: string;
    }): Promise<object>;
    challenge(request: {
      readonly username: string;
      readonly session: string;
      readonly otpPassword?: string;
      readonly u2fResponse?: string;
    }): Promise<object>;
  };
  readonly sso: {
    start(request: {
      readonly username: string;
      readonly client: string;
      readonly source: string;
    }): Promise<object>;
    check(request: { readonly session: string }): Promise<object>;
    stop(request: { readonly session: string }): Promise<object>;
  };
}

export interface OpenIdLoginView extends SessionsView {
  readonly webapps: Pick<WebApplicationPolicies, 'find'>;
  readonly operations: LoginOperations;
  readonly config: { readonly default_language: string };
}

/** Longest body, in bytes. */
const longestForm = 16_384;

/** One request to the page: it is shown, or what somebody has entered is judged. @throws ServiceError `too_large` */
export async function stepOfLogin(
  wanted: WantedLogin,
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
  const form = new URLSearchParams(Buffer.from(await request.body(longestForm)).toString('utf8'));
  const asked = form.get('session');
  const known = asked === null ? undefined : await view.state.get(askedKind, asked);
  // Begun by the page of another login, perhaps under another policy, or elsewhere altogether.
  if (asked !== null && known?.uid !== wanted.uid) return page({ alert: 'over' });
  const username = known ? String(known.username) : (form.get('username') ?? '');
  const told = await judge({ form, username, wanted, address: request.address }, view);
  if (told.code === 2 && told.session) {
    await view.state.put(askedKind, told.session, { uid: wanted.uid, username }, longestLogin);
    return page({ username, wanted: wantedBy(told) });
  }
  if (told.code !== 1) return page({ username, ...afterRefusal(told, form) });
  const begun = await view.operations.sso.start({ username, client: wanted.client, source: request.address });
  const { code, session } = begun as Told;
  if (code !== 1 || session === undefined) return page({ username, alert: 'wrong' });
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
/** In seconds. */
const longestLogin = 600;

interface Entered {
  readonly form: URLSearchParams;
  readonly username: string;
  readonly wanted: WantedLogin;
  readonly address: string;
}

async function judge(
  { form, username, wanted, address }: Entered,
  { operations: { otp } }: OpenIdLoginView,
): Promise<Told> {
  const session = form.get('session');
  const told =
    session === null
      ? await otp.simpleLogin({
          username,
          anyPassword: form.get('password') ?? '',
          client: wanted.client,
          source: address,
        })
      : await otp.challenge({ username, session, ...answerIn(form) });
  return told as Told;
}

/** What a device has signed, or a code. */
function answerIn(form: URLSearchParams): { readonly otpPassword?: string; readonly u2fResponse?: string } {
  const signed = form.get('u2fResponse') ?? '';
  return signed === '' ? { otpPassword: form.get('code') ?? '' } : { u2fResponse: signed };
}

const wantedBy = ({
  message = '',
  session = '',
  otpChallenge = '',
  u2fChallenge = '',
}: Told): SecondFactor => ({
  ...{ message, session },
  code: u2fChallenge === '' || otpChallenge !== '',
  device: u2fChallenge === '' ? undefined : u2fChallenge,
});

/** A code may be typed again, as long as the session that asks for it lives. */
function afterRefusal({ error }: Told, form: URLSearchParams): Partial<LoginPage> {
  if (error === 'NoSession') return { alert: 'over' };
  if (error === 'ServerError') return { alert: 'unavailable' };
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

/** What asks for a code, in characters. */
const longestMessage = 512;

/** @throws ServiceError `unavailable` */
export async function isAlive(session: string, { operations: { sso } }: OpenIdLoginView): Promise<boolean> {
  const { code, error } = (await sso.check({ session })) as Told;
  if (error === 'ServerError') throw new ServiceError('unavailable');
  return code === 1;
}
