/**
 * The self-service portal at the web services' server: `/self/session` signs users in and out by the login of all doors, `/self/rpc` runs
 * their calls about their own entries. A page sends the cookie of its session and a CSRF token.
 */

import { readProfile } from '../../../directory/data/profile.ts';
import { publicRefusal } from '../../../events/failure.ts';
import { recordEvent } from '../../../events/recorded.ts';
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';
import { readCookie } from '../../../foundation/http/cookies.ts';
import { isDryRun } from '../../../foundation/http/dry-run.ts';
import type { WebRequest, WebResponse } from '../../../foundation/http/http.ts';
import {
  csrfToken,
  hasToken,
  isCrossOrigin,
  pageResponse,
  sessionCookieHeader,
  sessionHeaders,
} from '../../../foundation/http/page-session.ts';
import { readShown, type ShownFields } from '../../../foundation/http/sign-in-request.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { pageChallenge } from '../../../login/challenge.ts';
import type { LoginOutcome } from '../../../login/request.ts';
import { randomWord } from '../../../ports/random.ts';
import type { Transaction } from '../../../table/method.ts';
import type { OpenSite, Site, SiteDoors } from '../../../table/site.ts';
import type { RowView } from '../../context/call.ts';
import { isOpen, resetPath } from '../openness.ts';
import { registrableTypes } from '../registrable-types.ts';
import { selfdeskSettings } from '../settings.ts';
import { type DeskUser, isFresh, may, partsOf } from './rights.ts';
import { beginSession, endSession, type PageSession, pageLife, resumeSession, sessionId } from './session.ts';

/** Judges who signs in. @throws ServiceError `too_many_attempts`, `not_found`, `invalid_params`, `unavailable` */
export type DeskLogin = (shown: ShownFields, asking: DeskAsking) => Promise<LoginOutcome>;

export interface DeskAsking {
  readonly view: RowView;
  readonly address: string;
  readonly transaction: Transaction;
  readonly signal?: AbortSignal | undefined;
}

const cookieName = 'SVCSELF';
const path = '/self';

class Desk implements OpenSite {
  readonly #view: RowView;
  readonly #doors: SiteDoors;
  readonly #login: DeskLogin;

  constructor(view: RowView, doors: SiteDoors, login: DeskLogin) {
    this.#view = view;
    this.#doors = doors;
    this.#login = login;
  }

  /** Throws nothing. */
  async answer(request: WebRequest): Promise<WebResponse> {
    const id = randomWord(this.#view.random, 8);
    const transaction = { id, client: `${request.address}:${request.port}` };
    try {
      const { pathname } = request.url;
      if (pathname === `${path}/session`) return await this.#serveSession(request, transaction);
      if (pathname === `${path}/rpc`) return await this.#call(request, transaction);
      return pageResponse(404, { reason: 'not_found', message: 'Not Found' });
    } catch (cause) {
      const { client } = transaction;
      return errorResponse(publicRefusal(cause, this.#view.log, { transaction: id, client }));
    }
  }

  async #serveSession(request: WebRequest, transaction: Transaction): Promise<WebResponse> {
    if (request.method !== 'GET' && isCrossOrigin(request, [this.#view.config.ws_url]))
      return errorResponse(forged);
    switch (request.method) {
      case 'GET':
        return this.#tell(request);
      case 'POST':
        return this.#begin(request, transaction);
      case 'DELETE':
        return this.#end(request);
      default:
        return notAllowed('GET, POST, DELETE');
    }
  }

  async #tell(request: WebRequest): Promise<WebResponse> {
    const cookie = cookieOf(request);
    const user = cookie === undefined ? undefined : await this.#resume(cookie);
    if (cookie === undefined || !user) {
      const cookies = cookie === undefined ? [] : [noCookie];
      const resetUrl = resetPath(this.#view);
      const ways = resetUrl === undefined ? {} : { resetUrl };
      return pageResponse(200, { signedIn: false, mode: 'SELF', fields, ...ways }, { cookies });
    }
    const { session, settings } = user;
    return pageResponse(200, {
      ...{ signedIn: true, csrf: csrfToken(cookie), administrator: session.dn.format(), mode: 'SELF' },
      ...{ name: session.name.username, ...session.name, idleSeconds: pageLife.idle },
      ...{ isFresh: isFresh(user, this.#view.clock.now()), parts: partsOf(settings) },
    });
  }

  async #begin(request: WebRequest, transaction: Transaction): Promise<WebResponse> {
    const { address, signal } = request;
    const shown = await readShown(request);
    const outcome = await this.#login(shown, { view: this.#view, address, transaction, signal });
    if (outcome.kind === 'refused') return errorResponse(wrong);
    if (outcome.kind === 'challenge')
      return pageResponse(200, { kind: 'challenge', ...pageChallenge(outcome) });
    const { by, account } = outcome;
    const profile = await this.#profileOf(by.dn);
    if (!profile || !account || !(await isOpen({ word: 'selfdesk' }, profile, this.#view)))
      return errorResponse(locked);
    const before = cookieOf(request);
    if (before !== undefined) await endSession(before, this.#view);
    const program = programOf(request);
    const whose = { dn: by.dn, id: profile.id, name: account, address, program, hasFactor: by.isByFactor };
    const cookie = await beginSession(whose, this.#view);
    await this.#record(by.dn, 'signed in to the page of their own', transaction);
    const body = { kind: 'signed-in', csrf: csrfToken(cookie), administrator: by.dn.format() };
    return pageResponse(200, body, { cookies: [sessionCookieHeader(cookieName, cookie, path)] });
  }

  async #end(request: WebRequest): Promise<WebResponse> {
    const cookie = cookieOf(request);
    if (cookie !== undefined) {
      if (!hasToken(request, cookie)) return errorResponse(forged);
      await endSession(cookie, this.#view);
    }
    return pageResponse(200, { signedIn: false }, { cookies: [noCookie] });
  }

  async #call(request: WebRequest, transaction: Transaction): Promise<WebResponse> {
    if (request.method !== 'POST') return notAllowed('POST');
    if (isCrossOrigin(request, [this.#view.config.ws_url])) return errorResponse(forged);
    const cookie = cookieOf(request);
    if (cookie === undefined) return errorResponse(unsigned);
    if (!hasToken(request, cookie)) return errorResponse(forged);
    const user = await this.#resume(cookie);
    if (!user) return errorResponse(unsigned);
    const now = this.#view.clock.now();
    const calls = this.#doors.own({
      ...{ dn: user.session.dn, session: sessionId(cookie), transaction },
      may: (use, application) => may(use, application, { user, now }),
      typesOf: registrableTypes(user.settings, selfdeskSettings.AllowSSHKeyTypes),
    });
    const body = () => request.body(longestBody);
    const answer = await calls.answer({ body, signal: request.signal, isDryRun: isDryRun(request.headers) });
    const headers = { 'content-type': 'application/json', ...sessionHeaders, ...answer.headers };
    const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
    return { status: answer.status, headers, body: text };
  }

  /** Undefined if it has ended, or its user may no longer log in. */
  async #resume(cookie: string): Promise<DeskUser | undefined> {
    const session = await resumeSession(cookie, this.#view);
    const profile = session && (await this.#profileOf(session.dn));
    if (!session || !profile || profile.id !== session.id) return undefined;
    const isIn = await isOpen({ word: 'selfdesk' }, profile, this.#view);
    return isIn ? { session, settings: profile.settings, data: profile.data } : undefined;
  }

  async #profileOf(dn: Dn) {
    try {
      return await readProfile(dn, { ...this.#view, directory: this.#view.server.service });
    } catch (error) {
      if (isReason(error, 'not_found')) return undefined;
      throw error;
    }
  }

  #record(dn: PageSession['dn'], text: string, transaction: Transaction): Promise<void> {
    const user = dn.format();
    const application = this.#view.names.theirs('SelfDesk');
    const facts = { user, outcome: 'done' };
    return recordEvent({ application, dn, text: `${user}: ${text}`, facts }, transaction, this.#view);
  }
}

/** Longest body in bytes: a public key fits, and an assertion. */
const longestBody = 131_072;

/** Returns the browser's name for itself, cut to what can be shown: the caller chooses it. */
const programOf = ({ headers }: WebRequest): string =>
  (headers.get('user-agent') ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 256);

const fields = ['username', 'password'];

const cookieOf = ({ headers }: WebRequest) => readCookie(headers.get('cookie'), cookieName);
const noCookie = sessionCookieHeader(cookieName, undefined, path);

const forged = new ServiceError('permission_denied', { detail: 'no page of ours has sent this' });
const unsigned = new ServiceError('credentials_refused', { detail: 'sign in first' });
const wrong = new ServiceError('credentials_refused');
const locked = new ServiceError('permission_denied', { detail: 'this page is locked to the user' });

const notAllowed = (allow: string): WebResponse =>
  pageResponse(405, { reason: 'invalid_request', message: 'Method Not Allowed' }, { headers: { allow } });

/** Answers an error for pages: status, reason, and a sentence to show. */
function errorResponse(error: ServiceError): WebResponse {
  const { reason, message, retryAfter } = error;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const body = { reason, message, ...(retryAfter !== undefined && { retryAfter }) };
  return pageResponse(statuses[reason] ?? 400, body, { headers });
}

const statuses: Partial<Readonly<Record<ServiceError['reason'], number>>> = {
  ...{ credentials_refused: 401, too_many_attempts: 401, not_found: 401 },
  ...{ permission_denied: 403, client_refused: 403, too_large: 413, unavailable: 503, internal: 500 },
};

/** Makes the site at `/self/`. @param login judges sign-ins */
export const deskSite = (login: DeskLogin): Site<RowView> => ({
  path: () => path.slice(1),
  open: (view, doors) => (view.webapps.find('selfdesk').enabled ? new Desk(view, doors, login) : undefined),
});
