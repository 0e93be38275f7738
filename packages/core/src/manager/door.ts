/**
 * The Manager as a server sees it: who calls, with what, and what is answered. It knows of HTTP what the
 * contract says of it (status, headers, cookie), and nothing of sockets.
 */
import type { Core } from '../core.ts';
import { ServiceError } from '../errors.ts';
import { tellable } from '../failure.ts';
import type { Call, Transaction } from '../method.ts';
import { randomWord } from '../ports/random.ts';
import { Administrators, basicCredentials, type Credentials, type Login } from './administrator.ts';
import { ClientList } from './clients.ts';
import { Dispatcher } from './dispatch.ts';
import { failure, type Response, readBody } from './envelope.ts';
import { callsOf, type ManagerLogin } from './in-process.ts';
import { closeQuietly } from './live-session.ts';
import { MethodTable } from './methods.ts';
import { Sessions } from './session.ts';

/** concepts.md §6 */
export const sessionCookie = 'SVCMANAG';

export interface ManagerRequest {
  /**
   * Read only behind the login: whoever has no credentials fills no memory with bodies.
   * @throws ServiceError `too_large`
   */
  readonly body: () => Promise<Uint8Array>;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The value of the cookie `SVCMANAG`. */
  readonly cookie: string | undefined;
  /** IP address and port of the caller. */
  readonly address: string;
  readonly port: number;
  /** The request said `Connection: close`: its session ends with it. */
  readonly closing: boolean;
}

export interface ManagerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON-RPC response or an array of them; undefined where all calls were notifications. */
  readonly body: Response | readonly Response[] | undefined;
}

/** A login whose connection is to be given back, and the cookie of the session that began with it. */
interface Entrance extends Login {
  readonly cookie?: string;
  readonly release: () => Promise<void>;
}

export class ManagerDoor {
  readonly #core: Core;
  readonly #administrators: Administrators;
  readonly #sessions: Sessions;
  readonly #clients: ClientList;
  readonly #dispatcher: Dispatcher;
  readonly table: MethodTable;

  constructor(core: Core) {
    this.#core = core;
    this.#administrators = new Administrators(core);
    this.#sessions = new Sessions(core, this.#administrators);
    this.#clients = new ClientList(core.config.manager_clients, core.hosts);
    this.table = new MethodTable(core.applications, core.names);
    this.#dispatcher = new Dispatcher(core, this.table);
  }

  /** Answers one request; throws nothing. */
  async answer(request: ManagerRequest): Promise<ManagerAnswer> {
    const transaction = this.#transaction(`${request.address}:${request.port}`);
    try {
      return await this.#serve(request, transaction);
    } catch (error) {
      return this.#refuse(error, transaction);
    }
  }

  /**
   * Logs in without a server: the same judgement, the same methods, in process.
   * @param address whose failures are counted together; a program that passes on the logins of others gives
   * theirs, so that one of them cannot shut out the rest
   * @throws ServiceError `credentials_refused`, `permission_denied`, `too_many_attempts`, `unavailable`
   */
  async login(credentials: Credentials, address = 'in-process'): Promise<ManagerLogin> {
    const login = await this.#administrators.login(credentials, address);
    const invoke = (name: string, params: unknown) =>
      this.#dispatcher.invoke(name, params, this.#call(login, this.#transaction('-')));
    return {
      manager: callsOf(this.#core.applications, invoke),
      administrator: login.administrator.toString(),
      close: () => login.directory.close(),
    };
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #serve(request: ManagerRequest, transaction: Transaction): Promise<ManagerAnswer> {
    if (!(await this.#clients.admits(request.address))) throw new ServiceError('client_refused');
    if (request.authorization === undefined && request.cookie === undefined) return this.#challenge();
    const entrance = await this.#enter(request);
    if (!entrance) return this.#challenge();
    try {
      const answer = await this.#reply(request, entrance, transaction);
      const { cookie } = entrance;
      if (cookie === undefined) return answer;
      return { ...answer, headers: { ...answer.headers, 'set-cookie': cookieHeader(cookie) } };
    } finally {
      await entrance.release();
    }
  }

  async #reply(request: ManagerRequest, login: Login, transaction: Transaction): Promise<ManagerAnswer> {
    try {
      const items = readBody(await request.body(), this.#core.config.limits);
      const body = await this.#dispatcher.answer(items, this.#call(login, transaction));
      return { status: body === undefined ? 204 : 200, headers: {}, body };
    } catch (error) {
      return this.#refuse(error, transaction);
    }
  }

  /** By the session of the cookie where there is one, else by the credentials; undefined: there are none. */
  async #enter(request: ManagerRequest): Promise<Entrance | undefined> {
    const { authorization, cookie } = request;
    const credentials = authorization === undefined ? undefined : basicCredentials(authorization);
    if (authorization !== undefined && !credentials) throw new ServiceError('credentials_refused');
    const resumed = cookie === undefined ? undefined : await this.#resume(cookie, credentials, request);
    if (resumed || !credentials) return resumed;
    return this.#begin(credentials, request);
  }

  async #resume(
    cookie: string,
    credentials: Credentials | undefined,
    { closing }: ManagerRequest,
  ): Promise<Entrance | undefined> {
    const login = await this.#sessions.resume(cookie, credentials);
    if (!login || !closing) return login;
    const release = async () => {
      await login.release();
      await this.#sessions.end(cookie);
    };
    return { ...login, release };
  }

  async #begin(credentials: Credentials, { address, closing }: ManagerRequest): Promise<Entrance> {
    const login = await this.#administrators.login(credentials, address);
    if (this.#core.config.manager_session === 0 || closing) {
      return { ...login, release: () => closeQuietly(login.directory, this.#core.log) };
    }
    const session = await this.#sessions.begin(login, credentials);
    return { ...session.login, cookie: session.cookie };
  }

  #challenge(): ManagerAnswer {
    const error = new ServiceError('credentials_refused', { detail: 'an Authorization header is needed' });
    return { status: 401, headers: challengeHeader, body: failure(error, null, this.#core.dialect) };
  }

  #refuse(cause: unknown, transaction: Transaction): ManagerAnswer {
    const { id, client } = transaction;
    const error = tellable(cause, this.#core.log, { transaction: id, client });
    this.#core.log.info('a request was refused', { transaction: id, client, reason: error.reason });
    const status = this.#core.dialect.httpStatus(error.reason);
    const headers = {
      ...(status === 401 && challengeHeader),
      ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
    };
    return { status, headers, body: failure(error, null, this.#core.dialect) };
  }

  #call({ administrator, directory, reach }: Login, transaction: Transaction): Call {
    return { administrator, directory, reach, core: this.#core, transaction };
  }

  #transaction(client: string): Transaction {
    return { id: randomWord(this.#core.random, 8), client };
  }
}

const challengeHeader = { 'www-authenticate': 'Basic realm="Manager", charset="UTF-8"' };

const cookieHeader = (cookie: string): string =>
  `${sessionCookie}=${cookie}; Path=/; Secure; HttpOnly; SameSite=Strict`;
