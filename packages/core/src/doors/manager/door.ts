/**
 * The Manager as a server sees it: from a request to its answer. Of HTTP it knows status, headers and cookie, as the contract has them,
 * and no sockets.
 */

import type { Roles } from '../../administration/access/roles.ts';
import type { RowView, ServedApplications } from '../../applications/context/call.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Domains } from '../../directory/domain.ts';
import { type RefusedRequest, RefusedRequests } from '../../events/refused-requests.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Origins } from '../../foundation/http/cross-site.ts';
import type { Limits } from '../../limits/limits.ts';
import type { CertificateAuthority } from '../../ports/authority.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { EventLog } from '../../ports/event-log/event-log.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Log } from '../../ports/log/log.ts';
import type { HostResolver } from '../../ports/ports.ts';
import type { CertificateRecords } from '../../ports/store/certificate-records.ts';
import type { Ledger } from '../../ports/store/ledger.ts';
import type { Transaction } from '../../table/method.ts';
import type { Answers, CallingAdministrator } from './answers.ts';
import { failure } from './envelope.ts';
import { type ManagerRequest, type ManagerResponse, sessionCookie } from './exchange.ts';
import type { AdministratorView } from './identity/administrator.ts';
import { type AdministratorLogin, Administrators } from './identity/administrator.ts';
import { inProcess } from './identity/claimed-identity.ts';
import { ClientList } from './identity/clients.ts';
import { basicCredentials, type Credentials, isNotUtf8 } from './identity/credentials.ts';
import { managerDoor } from './identity/door.ts';
import { callsOf, dryRunsOf, type ManagerLogin } from './in-process.ts';
import { coreMethods } from './methods.ts';
import { closeQuietly } from './session/live-session.ts';
import type { SessionView } from './session/session.ts';
import { Sessions } from './session/session.ts';

/** A login whose connection is to be given back, and the cookie of the session that began with it. */
interface Entrance extends AdministratorLogin {
  readonly cookie?: string;
  readonly release: () => Promise<void> | undefined;
}

/** The context of calls, and of judging their callers. */
export interface ManagerView<A> extends RowView, Omit<AdministratorView, 'door'>, Omit<SessionView, 'door'> {
  readonly applications: A & RowView['applications'];
  readonly config: ServiceConfig;
  readonly hosts: HostResolver;
  readonly server: DirectoryServer;
  readonly authority: CertificateAuthority;
  readonly certificates: CertificateRecords;
  readonly clock: Clock;
  readonly domains: Domains;
  readonly keys: KeyRing;
  readonly log: Log;
  readonly store: Ledger;
  readonly events: EventLog;
  readonly limits: Limits;
  readonly roles: Roles;
}

export class ManagerDoor<A extends ServedApplications = ServedApplications> {
  readonly #view: ManagerView<A>;
  readonly #administrators: Administrators;
  readonly #sessions: Sessions;
  readonly #clients: ClientList;
  readonly #answers: Answers;
  readonly #refused: RefusedRequests;
  /** The origins whose pages may ask by script. */
  readonly origins: Origins;

  constructor(view: ManagerView<A>, answers: Answers) {
    this.#view = view;
    this.#answers = answers;
    this.#refused = new RefusedRequests(view);
    this.origins = new Origins(view.config.manager_origins);
    this.#clients = new ClientList(view.config.manager_clients, view.hosts);
    const atDoor = { ...view, door: managerDoor(view.config) };
    this.#administrators = new Administrators(atDoor, this.#clients);
    this.#sessions = new Sessions(atDoor, this.#administrators);
  }

  /** Puts a request on record that is no request to the Manager: its method is not POST, or it is forged. */
  async recordRefused(request: Pick<RefusedRequest, 'why' | 'method' | 'address' | 'port'>): Promise<void> {
    await this.#refused.record({ ...request, application: 'Manager', at: 'JSON-RPC' });
  }

  /** Whether anybody may ask from there. */
  admits(address: string): Promise<boolean> {
    return this.#clients.admits(address);
  }

  /** Answers one request; throws nothing. */
  answer(request: ManagerRequest): Promise<ManagerResponse> {
    return this.#view.patience.during(() => this.#answer(request));
  }

  async #answer(request: ManagerRequest): Promise<ManagerResponse> {
    const transaction = this.#answers.transaction(`${request.address}:${request.port}`);
    try {
      return await this.#serve(request, transaction);
    } catch (error) {
      return challenging(this.#answers.refuse(error, transaction));
    }
  }

  /**
   * Logs in without a server: the same checks and the same methods, in process.
   * @param credentials with the administrator's certificate in mode PKI, PEM; the caller has checked that the holder of its key presented
   *   it
   * @param address the source of failures; a program that passes on logins of others gives theirs, so that one of them cannot lock out
   *   the rest
   * @throws ServiceError `credentials_refused`, `too_many_attempts`, `unavailable`
   */
  async login(
    { certificate: pem, ...credentials }: Credentials & { readonly certificate?: string },
    address = inProcess,
  ): Promise<ManagerLogin<A>> {
    const certificate = pem === undefined ? undefined : { pem, authorized: true };
    const transaction = this.#answers.transaction('-');
    const { patience } = this.#view;
    const login = await patience.during(() =>
      this.#administrators.login({ ...credentials, certificate }, { address, transaction }),
    );
    if (login instanceof ServiceError) throw login;
    const invoking = (caller: CallingAdministrator) => (name: string, params: unknown) =>
      patience.during(async () => {
        const call = await this.#answers.call(caller, this.#answers.transaction('-'));
        return this.#answers.dispatcher.invoke(name, params, call);
      });
    const { applications } = this.#view;
    return {
      manager: callsOf(coreMethods, applications, invoking(login)),
      dryRun: dryRunsOf(coreMethods, applications, invoking({ ...login, isDryRun: true })),
      administrator: login.administrator.format(),
      close: () => login.directory.close(),
    };
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #serve(request: ManagerRequest, transaction: Transaction): Promise<ManagerResponse> {
    if (!(await this.#clients.admits(request.address))) throw new ServiceError('client_refused');
    const lacking = this.#administrators.lacks(request);
    if (lacking !== undefined) return this.#challenge(lacking);
    if (request.authorization !== undefined && isNotUtf8(request.authorization))
      return this.#challenge('the Authorization header is not in UTF-8 (RFC 7617)');
    const entrance = await this.#enter(request, transaction);
    if (entrance instanceof ServiceError) return challenging(this.#answers.refused(entrance));
    if (!entrance) return this.#challenge('an Authorization header is needed');
    try {
      const caller = { ...entrance, isDryRun: request.isDryRun };
      const response = challenging(await this.#answers.reply(request, caller, transaction));
      const { cookie } = entrance;
      if (cookie === undefined) return response;
      return { ...response, headers: { ...response.headers, 'set-cookie': cookieHeader(cookie) } };
    } finally {
      const released = entrance.release();
      if (released) await released;
    }
  }

  /**
   * Admits a caller by the session of the cookie, else by the credentials.
   * @returns undefined: there are none; an error for a refused caller, which is recorded
   */
  async #enter(
    request: ManagerRequest,
    transaction: Transaction,
  ): Promise<Entrance | ServiceError | undefined> {
    const { authorization, cookie } = request;
    const credentials = authorization === undefined ? undefined : basicCredentials(authorization);
    if (authorization !== undefined && !credentials) throw new ServiceError('credentials_refused');
    const resumed = cookie === undefined ? undefined : await this.#resume(cookie, credentials, request);
    if (resumed || !credentials) return resumed;
    return this.#begin(credentials, request, transaction);
  }

  async #resume(
    cookie: string,
    credentials: Credentials | undefined,
    { certificate, closing }: ManagerRequest,
  ): Promise<Entrance | undefined> {
    const login = await this.#sessions.resume(cookie, { credentials, certificate });
    if (!login || !closing) return login;
    const release = async () => {
      await login.release();
      await this.#sessions.end(cookie);
    };
    return { ...login, release };
  }

  async #begin(
    credentials: Credentials,
    { address, certificate, closing, signal }: ManagerRequest,
    transaction: Transaction,
  ): Promise<Entrance | ServiceError> {
    const visitor = { address, transaction, signal };
    const login = await this.#administrators.login({ ...credentials, certificate }, visitor);
    if (login instanceof ServiceError) return login;
    if (this.#view.config.manager_session === 0 || closing) {
      return { ...login, release: () => closeQuietly(login.directory, this.#view.log) };
    }
    const session = await this.#sessions.begin(login, credentials);
    return { ...session.login, cookie: session.cookie };
  }

  #challenge(detail: string): ManagerResponse {
    const error = new ServiceError('credentials_refused', { detail });
    return { status: 401, headers: challengeHeader, body: failure(error, null, this.#view.dialect) };
  }
}

/** Adds the challenge to a refusal (RFC 9110 §11.6.1). */
const challenging = (response: ManagerResponse): ManagerResponse =>
  response.status === 401 ? { ...response, headers: { ...challengeHeader, ...response.headers } } : response;

const challengeHeader = { 'www-authenticate': 'Basic realm="Manager", charset="UTF-8"' };

const cookieHeader = (cookie: string): string =>
  `${sessionCookie}=${cookie}; Path=/; Secure; HttpOnly; SameSite=Strict`;
