/**
 * Sign-in to the Admin Portal, by `admin_auth`. A password, with or without a certificate, is judged as the Manager judges it. A second
 * factor is judged by the login of all doors; the user must also be an administrator, and the directory is bound with the judged
 * password.
 */

import type { TwoFactorMode } from '../../../administration/policy/login-mode.ts';
import type { PortalAuth } from '../../../config/config.ts';
import { recordEvent } from '../../../events/recorded.ts';
import { noSession, ServiceError } from '../../../foundation/errors/errors.ts';
import type { PeerCertificate } from '../../../foundation/http/http.ts';
import type { ShownFields } from '../../../foundation/http/sign-in-request.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { waitOut } from '../../../limits/refusal-answer.ts';
import { type PageChallenge, pageChallenge } from '../../../login/challenge.ts';
import { byDn } from '../../../login/context.ts';
import { loginAtPage } from '../../../login/login.ts';
import type { LoginOutcome, ShownAtPage } from '../../../login/request.ts';
import { type LoginDoor, loginApplication } from '../../../login/view.ts';
import type { AdministratorLogin, Administrators, Visitor } from '../identity/administrator.ts';
import type { Credentials } from '../identity/credentials.ts';
import { refusalEntry } from '../refusal.ts';
import type { PortalView } from './portal-view.ts';
import { endWaiting, findWaiting, keepWaiting } from './waiting-credentials.ts';

/** The outcome of a sign-in; an error is for a refused caller, which is recorded. */
export type SignedIn =
  | { readonly kind: 'entered'; readonly login: AdministratorLogin; readonly credentials: Credentials }
  | ({ readonly kind: 'challenge' } & PageChallenge)
  | ServiceError;

/** The login modes of `admin_auth` that want a second factor. */
const loginModes: Readonly<Partial<Record<PortalAuth, TwoFactorMode>>> = {
  OTP: 'LDAPOTP',
  U2F: 'LDAPU2F',
  MFA: 'LDAPMFA',
};

type Shown = ShownFields & { readonly certificate?: PeerCertificate | undefined };

export class SignIn {
  readonly #view: PortalView;
  readonly #administrators: Administrators;
  /** Undefined: no second factor is wanted. */
  readonly #loginMode: TwoFactorMode | undefined;

  constructor(view: PortalView, administrators: Administrators) {
    this.#view = view;
    this.#administrators = administrators;
    this.#loginMode = loginModes[view.config.admin_auth];
  }

  /** @throws ServiceError `invalid_params`, `too_many_attempts`, `not_found` for a challenge that has ended, `unavailable` */
  async signIn(shown: Shown, visitor: Visitor): Promise<SignedIn> {
    if (this.#loginMode === undefined) return this.#byPassword(shown, visitor);
    const attempt = { begun: this.#view.clock.now(), visitor };
    if (shown.session === undefined) return this.#byFactors(shown, attempt);
    return this.#answer(shown, shown.session, attempt);
  }

  async #byPassword(shown: Shown, visitor: Visitor): Promise<SignedIn> {
    const credentials = credentialsOf(shown);
    const { certificate } = shown;
    const entered = await this.#administrators.login({ ...credentials, certificate }, visitor);
    return entered instanceof ServiceError ? entered : { kind: 'entered', login: entered, credentials };
  }

  async #byFactors(shown: Shown, attempt: Attempt): Promise<SignedIn> {
    const { password, otp } = shown;
    const outcome = await this.#judge({ ...this.#named(shown), password, otp }, attempt);
    return this.#follow(outcome, credentialsOf(shown), attempt);
  }

  async #answer(shown: Shown, session: string, attempt: Attempt): Promise<SignedIn> {
    const credentials = await findWaiting(session, this.#view);
    if (!credentials) throw noSession();
    const named = this.#named(shown.username === undefined ? credentials : shown);
    const { otp, u2fResponse: assertion } = shown;
    const outcome = await this.#judge({ ...named, session, otp, assertion }, attempt);
    if (outcome.kind === 'granted') await endWaiting(session, this.#view);
    return this.#follow(outcome, credentials, attempt);
  }

  #judge(shown: ShownAtPage, { visitor }: Attempt): Promise<LoginOutcome> {
    const view = this.#view;
    const door: LoginDoor = {
      client: 'AdminPortal',
      application: loginApplication(view),
      operation: 'admin portal',
      demand: { mode: this.#loginMode, asks: 'always' },
    };
    return loginAtPage(shown, door, { view, ...visitor });
  }

  async #follow(outcome: LoginOutcome, credentials: Credentials, attempt: Attempt): Promise<SignedIn> {
    switch (outcome.kind) {
      case 'refused':
        return new ServiceError('credentials_refused');
      case 'challenge': {
        const { session, timeout: seconds } = outcome;
        await keepWaiting(session, credentials, { ...this.#view, seconds });
        return { kind: 'challenge', ...pageChallenge(outcome) };
      }
      case 'granted':
        return this.#admit(outcome.by, credentials, attempt);
    }
  }

  /** Whom a login has let in is let in here if it is an administrator, and has shown the password of the directory. */
  async #admit(
    { dn, isByPassword }: { readonly dn: Dn; readonly isByPassword: boolean },
    credentials: Credentials,
    { begun, visitor: { transaction } }: Attempt,
  ): Promise<SignedIn> {
    const view = this.#view;
    const entered = isByPassword
      ? await this.#administrators.admit(dn, credentials.password)
      : 'the login had no password of the directory in it';
    if (typeof entered !== 'string') return { kind: 'entered', login: entered, credentials };
    const tried = { username: credentials.username, dn, transaction, door: view.door.role };
    await recordEvent(refusalEntry(tried, entered, view), transaction, view);
    await waitOut(begun, view.config.limits.login_failure_delay_ms, view.clock);
    return new ServiceError('credentials_refused');
  }

  /** Reads the name; in mode DN of `auth_mode` it is a DN. @throws ServiceError `invalid_dn` */
  #named({ username = '', domain }: ShownFields): ReturnType<typeof byDn> {
    return this.#view.door.auth === 'DN' ? byDn(username, this.#view) : { username, domain };
  }
}

interface Attempt {
  /** When the request came, in milliseconds since 1970. */
  readonly begun: number;
  readonly visitor: Visitor;
}

/** The login name with its domain in one, as the Manager takes it. */
const credentialsOf = ({ username = '', domain, password = '' }: ShownFields): Credentials => ({
  username: domain === undefined ? username : `${domain}\\${username}`,
  password,
});
