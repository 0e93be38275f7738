/**
 * The Admin Portal's endpoints: `/admin/session` signs administrators in and out, `/admin/rpc` runs their calls as the Manager does. A
 * page sends the cookie of its session with the session's token; the session has the administrator's rights and no others.
 */

import { texts } from '../../../directory/entry/entry.ts';
import { publicRefusal } from '../../../events/failure.ts';
import { type NewAuditEvent, recordEvent } from '../../../events/recorded.ts';
import { type RefusedRequest, RefusedRequests } from '../../../events/refused-requests.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { readCookie } from '../../../foundation/http/cookies.ts';
import { isDryRun } from '../../../foundation/http/dry-run.ts';
import type { WebRequest, WebResponse } from '../../../foundation/http/http.ts';
import {
  csrfToken,
  hasToken,
  isCrossOrigin,
  pageResponse,
  refusalResponse,
  sessionCookieHeader,
  sessionHeaders,
} from '../../../foundation/http/page-session.ts';
import { readShown } from '../../../foundation/http/sign-in-request.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Transaction } from '../../../table/method.ts';
import type { Answers } from '../answers.ts';
import type { ManagerResponse } from '../exchange.ts';
import { Administrators } from '../identity/administrator.ts';
import { ClientList } from '../identity/clients.ts';
import { portalDoor } from '../identity/door.ts';
import { type SessionLogin, Sessions } from '../session/session.ts';
import type { PortalView } from './portal-view.ts';
import type { SignedIn, SignIn } from './sign-in.ts';
import { type WantedFields, wantedFields } from './wanted-fields.ts';

/** The cookie of a session of the portal. */
export const portalCookie = 'SVCADMIN';

/** The path of the cookie. */
const path = '/admin';

export class PortalDoor {
  readonly #view: PortalView;
  readonly #answers: Answers;
  readonly #signIn: Pick<SignIn, 'signIn'>;
  readonly #sessions: Sessions;
  readonly #refused: RefusedRequests;
  readonly #clients: ClientList;
  readonly #wanted: WantedFields;

  /** @param judge of sign-ins */
  constructor(
    view: Omit<PortalView, 'door'>,
    answers: Answers,
    judge: (view: PortalView, administrators: Administrators) => Pick<SignIn, 'signIn'>,
  ) {
    this.#view = { ...view, door: portalDoor(view.config) };
    this.#answers = answers;
    this.#wanted = wantedFields(this.#view);
    this.#clients = new ClientList(view.config.manager_clients, view.hosts);
    const administrators = new Administrators(this.#view, this.#clients);
    this.#signIn = judge(this.#view, administrators);
    this.#sessions = new Sessions(this.#view, administrators);
    this.#refused = new RefusedRequests(view);
  }

  /** Answers one request for `/admin/session`: who is signed in (GET), sign-in (POST), sign-out (DELETE). Throws nothing. */
  answerSession(request: WebRequest): Promise<WebResponse> {
    return this.#view.patience.during(() => this.#answerSession(request));
  }

  async #answerSession(request: WebRequest): Promise<WebResponse> {
    const transaction = this.#answers.transaction(`${request.address}:${request.port}`);
    try {
      const why = whyRefused(request, ['GET', 'POST', 'DELETE'], [this.#view.config.manager_url]);
      if (why) return await this.#refuse(request, why);
      await this.#assertAdmits(request.address);
      switch (request.method) {
        case 'POST':
          return await this.#begin(request, transaction);
        case 'DELETE':
          return await this.#end(request, transaction);
        default:
          return await this.#tell(request);
      }
    } catch (cause) {
      const about = { transaction: transaction.id, client: transaction.client };
      return refusalResponse(publicRefusal(cause, this.#view.log, about));
    }
  }

  /** Answers one request for `/admin/rpc`: JSON-RPC, as the Manager does. Throws nothing. */
  answerCall(request: WebRequest): Promise<ManagerResponse> {
    return this.#view.patience.during(() => this.#answerCall(request));
  }

  async #answerCall(request: WebRequest): Promise<ManagerResponse> {
    const transaction = this.#answers.transaction(`${request.address}:${request.port}`);
    try {
      const response = await this.#call(request, transaction);
      return { ...response, headers: { ...sessionHeaders, ...response.headers } };
    } catch (cause) {
      return this.#answers.refuse(cause, transaction);
    }
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #call(request: WebRequest, transaction: Transaction): Promise<ManagerResponse> {
    const why = whyRefused(request, ['POST'], [this.#view.config.manager_url]);
    if (why) return this.#refuseCall(request, why);
    await this.#assertAdmits(request.address);
    const cookie = cookieOf(request);
    if (cookie === undefined) return this.#unsigned();
    if (!hasToken(request, cookie)) {
      await this.#record(request, 'cross-site');
      return { ...this.#answers.refused(forged), status: 403 };
    }
    const login = await this.#resume(request, cookie);
    if (!login) return this.#unsigned();
    try {
      const body = () => request.body(this.#view.config.limits.body_bytes);
      const caller = { ...login, isDryRun: isDryRun(request.headers) };
      return await this.#answers.reply({ body, signal: request.signal }, caller, transaction);
    } finally {
      await login.release();
    }
  }

  async #refuseCall(request: WebRequest, why: RefusedRequest['why']): Promise<ManagerResponse> {
    await this.#record(request, why);
    const status = why === 'method' ? 405 : 403;
    const headers = why === 'method' ? { allow: 'POST' } : {};
    return { ...this.#answers.refused(forged), status, headers };
  }

  /** Without a challenge of HTTP: no browser is to ask for a password in a window of its own. */
  #unsigned(): ManagerResponse {
    return { ...this.#answers.refused(unsigned), status: 401 };
  }

  /** A password alone is taken from nowhere where the Manager would not take it. @throws ServiceError `client_refused` */
  async #assertAdmits(address: string): Promise<void> {
    const { admin_auth } = this.#view.config;
    const isAlone = admin_auth === 'UID' || admin_auth === 'DN';
    if (isAlone && !(await this.#clients.admits(address))) throw new ServiceError('client_refused');
  }

  async #refuse(request: WebRequest, why: RefusedRequest['why']): Promise<WebResponse> {
    await this.#record(request, why);
    if (why === 'cross-site') return refusalResponse(forged);
    return pageResponse(
      405,
      { reason: 'invalid_request', message: 'Method Not Allowed' },
      { headers: { allow: 'GET, POST, DELETE' } },
    );
  }

  #record({ method, address, port }: WebRequest, why: RefusedRequest['why']): Promise<void> {
    return this.#refused.record({ application: 'Manager', at: 'admin portal', method, address, port, why });
  }

  async #tell(request: WebRequest): Promise<WebResponse> {
    const cookie = cookieOf(request);
    const login = cookie === undefined ? undefined : await this.#resume(request, cookie);
    if (cookie === undefined || !login) {
      return pageResponse(
        200,
        { signedIn: false, ...this.#wanted, certificate: standingOf(request) },
        cookie === undefined ? {} : { cookies: [noCookie] },
      );
    }
    try {
      return pageResponse(200, { signedIn: true, ...(await this.#about(login, cookie)) });
    } finally {
      await login.release();
    }
  }

  async #about({ administrator, rights, username, session }: SessionLogin, cookie: string): Promise<object> {
    const { config, server } = this.#view;
    const entry = await server.service.read(administrator, ['displayName', 'cn']);
    const [name] = entry ? [...texts(entry, 'displayName'), ...texts(entry, 'cn')] : [];
    return {
      csrf: csrfToken(cookie),
      administrator: administrator.format(),
      name: name ?? username,
      username,
      superAdmin: rights.isSuperAdmin,
      mode: config.admin_auth,
      idleSeconds: config.admin_session,
      session,
    };
  }

  async #begin(request: WebRequest, transaction: Transaction): Promise<WebResponse> {
    const { address, certificate, signal } = request;
    const shown = await readShown(request);
    const signedIn = await this.#signIn.signIn({ ...shown, certificate }, { address, transaction, signal });
    if (signedIn instanceof ServiceError) return refusalResponse(signedIn);
    if (signedIn.kind === 'challenge') return pageResponse(200, signedIn);
    return this.#enter(signedIn, request, transaction);
  }

  async #enter(
    { login, credentials }: Extract<SignedIn, { readonly kind: 'entered' }>,
    request: WebRequest,
    transaction: Transaction,
  ): Promise<WebResponse> {
    const before = cookieOf(request);
    const began = await this.#sessions.begin(login, credentials, request.address);
    await began.login.release();
    if (before !== undefined) await this.#sessions.end(before);
    const { administrator } = login;
    await recordEvent(signInEntry(administrator, 'signed in to'), transaction, this.#view);
    return pageResponse(
      200,
      { kind: 'signed-in', csrf: csrfToken(began.cookie), administrator: administrator.format() },
      { cookies: [sessionCookieHeader(portalCookie, began.cookie, path)] },
    );
  }

  async #end(request: WebRequest, transaction: Transaction): Promise<WebResponse> {
    const cookie = cookieOf(request);
    if (cookie !== undefined && !hasToken(request, cookie)) return this.#refuse(request, 'cross-site');
    const login = cookie === undefined ? undefined : await this.#resume(request, cookie);
    if (cookie !== undefined && login) {
      await login.release();
      await this.#sessions.end(cookie);
      await recordEvent(signInEntry(login.administrator, 'signed out of'), transaction, this.#view);
    }
    return pageResponse(200, { signedIn: false }, { cookies: [noCookie] });
  }

  #resume({ certificate }: WebRequest, cookie: string): Promise<SessionLogin | undefined> {
    const companions = { credentials: undefined, ...(certificate && { certificate }) };
    return this.#sessions.resume(cookie, companions);
  }
}

/** Whatever is written there: who asks for it is not to find that it was done. */

const cookieOf = ({ headers }: WebRequest) => readCookie(headers.get('cookie'), portalCookie);

const noCookie = sessionCookieHeader(portalCookie, undefined, path);

/**
 * Returns the state of the browser's certificate, which is no secret to its holder: `none`, `unfit`, or `taken`. Whether it is an
 * administrator's is judged only with the password.
 */
const standingOf = ({ certificate }: Pick<WebRequest, 'certificate'>): 'none' | 'unfit' | 'taken' => {
  if (!certificate) return 'none';
  return certificate.authorized ? 'taken' : 'unfit';
};

const forged = new ServiceError('permission_denied', { detail: 'no page of the portal has sent this' });
const unsigned = new ServiceError('credentials_refused', { detail: 'sign in first' });

/** @param own origins that the server is known by */
function whyRefused(
  request: WebRequest,
  methods: readonly string[],
  own: readonly string[],
): RefusedRequest['why'] | undefined {
  if (!methods.includes(request.method)) return 'method';
  return request.method !== 'GET' && isCrossOrigin(request, own) ? 'cross-site' : undefined;
}

const signInEntry = (administrator: Dn, what: string): NewAuditEvent => {
  const user = administrator.format();
  return {
    application: 'Manager',
    dn: administrator,
    text: `${user}: ${what} the admin portal`,
    facts: { user, outcome: 'done' },
  };
};
