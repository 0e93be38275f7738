/**
 * The web services as a server sees them: from a request to its answer. Of HTTP it knows paths, methods, status and headers, as the
 * contract has them, and no sockets.
 */

import type { Caller } from '../../administration/policy/caller.ts';
import { assertSystem, type Callers } from '../../administration/policy/callers.ts';
import type { OperationCall, RowView, ServedApplications } from '../../applications/context/call.ts';
import { publicRefusal } from '../../events/failure.ts';
import { type RefusedRequest, RefusedRequests } from '../../events/refused-requests.ts';
import { isOverloaded, type ServiceError, tooLarge } from '../../foundation/errors/errors.ts';
import { noHeaders, Origins } from '../../foundation/http/cross-site.ts';
import type { WebRequest, WebResponse } from '../../foundation/http/http.ts';
import { plainText } from '../../foundation/http/response.ts';
import { randomWord } from '../../ports/random.ts';
import type { Transaction } from '../../table/method.ts';
import type { Fields, Values } from '../../table/operation.ts';
import type { OwnCallsOf } from '../../table/own-calls.ts';
import type { Page } from '../../table/page.ts';
import { type EndedOperation, runOperation } from './dispatch.ts';
import {
  type Addressed,
  type Asked,
  type ReadLimits,
  refusalHeaders,
  type WireFormat,
  withNoStore,
} from './exchange.ts';
import type { Given } from './fields.ts';
import { IdempotencyCache } from './idempotency-cache.ts';
import { callsOf } from './in-process.ts';
import { indexPage } from './index-page.ts';
import {
  type NamedOperation,
  OperationTable,
  usualBody,
  type WebCalls,
  type WebService,
} from './operations.ts';
import { pageRequest } from './page-request.ts';
import { rest } from './rest.ts';
import { type Route, Routes, sharedRouteOf } from './routes.ts';
import { type MountedSite, siteAt, sitesOf } from './sites.ts';
import { soap } from './soap/index.ts';
import { wsdl } from './wsdl.ts';

/** The context of operations and pages, and the words for callers. */
export interface WebView<A> extends RowView {
  readonly applications: A & RowView['applications'];
  readonly callers: Pick<Callers, 'identify'>;
}

export class WebDoor<A extends ServedApplications = ServedApplications> {
  readonly #view: WebView<A>;
  /** The view with empty fields of a call: V8 copies it a hundred times as fast as one that it has to add fields to. */
  readonly #blank: BlankCall;
  readonly #repetitions: IdempotencyCache;
  readonly #refused: RefusedRequests;
  readonly #origins: Origins;
  /** The served operations: a service that the configuration turns off is missing. */
  readonly #table: OperationTable;
  readonly #routes: Routes;
  /** The operations in process. */
  readonly calls: WebCalls<A>;
  readonly #sites: readonly MountedSite[];

  constructor(view: WebView<A>, own: OwnCallsOf) {
    this.#view = view;
    this.#blank = { ...view, ...noCall };
    this.#repetitions = new IdempotencyCache(view);
    this.#refused = new RefusedRequests(view);
    this.#origins = new Origins(view.config.ws_origins);
    const { applications, names, services, dialect } = view;
    this.calls = callsOf<A>(new OperationTable(applications, names, dialect), (named, request) =>
      view.patience.during(() => this.#invoke(named, request)),
    );
    const enabled = Object.entries(applications).filter(([, { service }]) => services.find(service).enabled);
    this.#table = new OperationTable(Object.fromEntries(enabled), names, dialect);
    this.#routes = new Routes(this.#table);
    this.#sites = sitesOf(Object.values(applications), view, { operations: { ...this.calls }, own });
  }

  /** Answers one request to the web services; throws nothing. */
  answer(request: WebRequest): Promise<WebResponse> {
    const site = siteAt(request.url, this.#sites);
    if (site) return site.answer(request);
    const route = this.#routes.at(request.url);
    if (!route) return Promise.resolve(withNoStore(notFound));
    return isForScripts(route) ? this.#serveScripts(route, request) : this.#serve(route, request);
  }

  /**
   * Answers what the Manager's port serves as well: descriptions, short addresses, pages of links. Throws nothing.
   * @returns undefined: the address is none of these
   */
  async answerShared(request: WebRequest): Promise<WebResponse | undefined> {
    const site = siteAt(request.url, this.#sites);
    if (site?.isShared) return site.answer(request);
    const route = sharedRouteOf(request.url, this.#table);
    return route && this.#serve(route, request, this.#view.config.ws_url);
  }

  /** Returns the address of the web services, for the caller of a port. */
  #addressFor({ url }: WebRequest): string {
    const { ws_url, wsdl_address } = this.#view.config;
    return wsdl_address === 'ws_url' ? ws_url : url.origin;
  }

  /** Serves a request as {@link #serve}, and names to browsers the origins that may ask. */
  #serveScripts(route: Route, request: WebRequest): Promise<WebResponse> {
    const said = this.#origins.answering(request);
    if (said === noHeaders) return this.#serve(route, request);
    if (this.#origins.isPreflight(request)) {
      const headers = { ...said, ...this.#origins.permitting(this.#allowed(route)) };
      return Promise.resolve(withNoStore({ status: 204, headers, body: '' }));
    }
    return this.#serve(route, request).then((response) => saying(response, said));
  }

  /** @param address where the web services are, for descriptions; optional, default: {@link #addressFor} */
  #serve(route: Route, request: WebRequest, address?: string): Promise<WebResponse> {
    const methods = this.#allowed(route);
    const why = this.#whyRefused(route, request, methods);
    if (why !== undefined) return this.#refuse(route, request, { why, methods });
    switch (route.kind) {
      case 'index':
        return Promise.resolve(
          withNoStore(plainText(200, indexPage(this.#table, address ?? this.#addressFor(request)))),
        );
      case 'wsdl':
        return Promise.resolve(withNoStore(description(route.service, address ?? this.#addressFor(request))));
      case 'page':
      case 'file':
      case 'message':
        return this.#turn(route.page, request).then(withNoStore);
      case 'soap':
        return this.#converse(soap, route, request);
      case 'rest':
        return this.#converse(rest, route, request);
    }
  }

  async #refuse(
    route: Route,
    request: WebRequest,
    { why, methods }: { why: RefusedRequest['why']; methods: readonly string[] },
  ): Promise<WebResponse> {
    await this.#refused.record({ ...request, ...this.#about(route), why });
    return withNoStore(why === 'method' ? notAllowed(methods) : forbidden);
  }

  #whyRefused(
    route: Route,
    request: WebRequest,
    methods: readonly string[],
  ): RefusedRequest['why'] | undefined {
    if (!methods.includes(request.method)) return 'method';
    return isAction(route, request) && this.#origins.isForged(request) ? 'cross-site' : undefined;
  }

  /** Returns what a refused request was about; a request of no application is counted at the Manager. */
  #about(route: Route): Pick<RefusedRequest, 'application' | 'at'> {
    const service = 'service' in route ? route.service : undefined;
    const application = service ? this.#view.names.theirs(service.application.name) : 'Manager';
    return { application, at: service ? `${service.word} (${route.kind})` : route.kind };
  }

  #allowed({ kind }: Route): readonly string[] {
    return kind === 'rest' && !this.#view.config.rest_get ? ['POST'] : allowed[kind];
  }

  /** The body is read when it is known who calls: nobody else fills the memory. */
  async #converse(format: WireFormat, at: Addressed, request: WebRequest): Promise<WebResponse> {
    const { service } = at;
    const transaction = this.#transaction(`${request.address}:${request.port}`);
    try {
      const caller = await this.#identify(service, request);
      const asked = await format.read(request, at, this.#limitsFor(caller, service));
      this.#assertAdmitted(asked, caller);
      const { operation, given } = asked;
      const call = { caller, transaction, signal: request.signal };
      const { answer, error } = await this.#run(operation, given, call);
      const written = format.write(answer, asked, service);
      if (!error) return written;
      const headers = { ...written.headers, ...refusalHeaders(error, service) };
      return { ...written, ...(isOverloaded(error) && { status: 503 }), headers };
    } catch (cause) {
      const error = this.#refusal(cause, transaction);
      const response = format.writeError(error);
      return { ...response, headers: { ...response.headers, ...refusalHeaders(error, service) } };
    }
  }

  /** Only trusted callers may send more than usual, and only to an operation that takes it. */
  #limitsFor({ trusted }: Caller, { longestBody }: WebService): ReadLimits {
    const { depth, body_bytes } = this.#view.config.limits;
    return { depth, body: Math.min(body_bytes, trusted ? longestBody : usualBody) };
  }

  /** @throws ServiceError */
  #assertAdmitted(asked: Asked, caller: Caller): void {
    const { body: own = usualBody, isForSystems } = asked.operation.operation;
    const most = Math.min(this.#view.config.limits.body_bytes, own);
    if (asked.bytes > most) throw tooLarge(most);
    if (isForSystems) assertSystem(caller);
  }

  async #turn(page: Page<RowView>, request: WebRequest): Promise<WebResponse> {
    try {
      return await page(pageRequest(request, this.#view.config.limits), this.#view);
    } catch (cause) {
      const transaction = this.#transaction(`${request.address}:${request.port}`);
      return rest.writeError(this.#refusal(cause, transaction));
    }
  }

  async #invoke(named: NamedOperation, request: Values<Fields>): Promise<Values<Fields>> {
    const caller: Caller = { address: 'in-process', trusted: true, choosesPolicy: true };
    const call = { caller, transaction: this.#transaction('-') };
    return (await this.#run(named, Object.entries(request), call)).answer;
  }

  #run(
    named: NamedOperation,
    given: Given,
    { caller, transaction, signal }: Pick<OperationCall, 'caller' | 'transaction' | 'signal'>,
  ): Promise<EndedOperation> {
    const call = { ...this.#blank };
    call.caller = caller;
    call.transaction = transaction;
    call.application = named.application;
    call.operation = named.name;
    call.signal = signal;
    return runOperation(named, given, { call, repetitions: this.#repetitions });
  }

  #identify({ application }: WebService, { headers, address, certificate }: WebRequest): Promise<Caller> {
    const apiKey = headers.get('x-api-key') ?? headers.get('wa-api-key') ?? undefined;
    return this.#view.callers.identify(application.service, { address, apiKey, certificate });
  }

  #refusal(cause: unknown, { id, client }: Transaction): ServiceError {
    return publicRefusal(cause, this.#view.log, { transaction: id, client });
  }

  #transaction(client: string): Transaction {
    return { id: randomWord(this.#view.random, 8), client };
  }
}

/** A call that is not filled in yet. */
type BlankCall = RowView & { -readonly [Field in keyof typeof noCall]: OperationCall[Field] };

/** Nobody is handed these: a call has its own. */
const noCall = {
  caller: { address: '' },
  transaction: { id: '', client: '' },
  application: undefined as never,
  operation: '',
  signal: undefined,
};

/** HEAD asks for what GET would answer; of an operation that would be a login. */
const allowed: Readonly<Record<Route['kind'], readonly string[]>> = {
  index: ['GET', 'HEAD'],
  wsdl: ['GET', 'HEAD'],
  soap: ['POST'],
  rest: ['GET', 'POST'],
  page: ['GET', 'POST'],
  file: ['GET', 'HEAD'],
  message: ['POST'],
};

/** Operations; documents and pages are opened, not asked by a script. */
const isForScripts = ({ kind }: Route): boolean => kind === 'rest' || kind === 'soap';

/** Documents and forms may be opened from anywhere, as by a link; a login is no link, though it may be a GET. */
const isAction = ({ kind }: Route, { method }: WebRequest): boolean => kind === 'rest' || method === 'POST';

const saying = (response: WebResponse, said: WebResponse['headers']): WebResponse => ({
  ...response,
  headers: { ...response.headers, ...said },
});

const forbidden = plainText(403, 'Forbidden');

const notFound = plainText(404, 'Not Found');

const notAllowed = (methods: readonly string[]): WebResponse =>
  plainText(405, 'Method Not Allowed', { allow: methods.join(', ') });

const description = (service: WebService, address: string): WebResponse => ({
  status: 200,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: wsdl(service, `${address}/${service.word}/`),
});
