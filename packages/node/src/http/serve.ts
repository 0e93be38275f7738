/** The server of a handler, over HTTPS or HTTP/1.1, with timeouts and a graceful shutdown. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Handler } from '@watchword/core/http';
import { type Log, ThrottledWarning } from '@watchword/core/ports';
import { systemClock } from '../machine/index.ts';
import { listen, urlHost } from '../machine/listen.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';
import { directListener } from './direct/direct-listener.ts';
import { DirectMessage } from './direct/direct-message.ts';
import { Drain } from './drain.ts';
import type { ListenerOptions } from './listener.ts';
import { type PeerCache, peersOf } from './peers.ts';
import { ResponseState, refuseSafely, safeResponses } from './safe-responses.ts';
import {
  type ChallengeCertificate,
  challengeOptions,
  endChallenges,
  replaceTls,
  secureOptions,
  type TlsOptions,
} from './tls.ts';

export interface ServeOptions extends Omit<ListenerOptions, 'ca'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The setting of the port, for the error when the port is taken. */
  readonly portSetting?: string;
  /** Left out: HTTP without TLS. */
  readonly tls?: TlsOptions;
  /** The certificates of pending TLS-ALPN-01 challenges. Left out: no such connection is accepted. */
  readonly challenge?: ChallengeCertificate;
  readonly times?: Partial<ServeTimes>;
  /** Left out: unlimited. */
  readonly connections?: ConnectionLimits;
}

/** Timeouts in milliseconds. */
export interface ServeTimes {
  /** Timeout of the headers of a request (slowloris). */
  readonly headers: number;
  /** Timeout of a whole request. */
  readonly request: number;
  /** Timeout of an idle connection; more than the 60 s of proxies. */
  readonly keepAlive: number;
  /** Timeout of {@link Listener.close}, after which connections are closed. */
  readonly close: number;
}

export interface Listener {
  /** Ends with a slash. */
  readonly url: string;
  readonly port: number;
  /**
   * Answers by another handler from the next request on, and takes other settings for new connections. Requests under way end as they
   * began. A setting that is left out stays.
   * @throws StartError if TLS cannot be set up; nothing has changed then
   */
  replace(handler: Pick<Handler, 'direct'>, settings?: Pick<ServeOptions, 'tls' | 'connections'>): void;
  /** Answers all accepted requests within the timeout. Resolves when all connections are closed. */
  close(): Promise<void>;
}

const defaults: ServeTimes = { headers: 10_000, request: 60_000, keepAlive: 65_000, close: 10_000 };

/**
 * Starts a server, with timeouts and a graceful shutdown.
 * @param handler the handler, such as that of `managerServer`
 * @param options host and port, TLS in PEM, times in milliseconds, and limits of connections
 * @returns the address, and how to replace the handler and close the server
 * @throws StartError if the port is taken, the address is not of this machine, or TLS cannot be set up
 * @see docs/guide/embedding.md#serve-it-from-nodehttp
 * @example
 * ```ts
 * import { plainText } from '@watchword/core';
 * import { serve, webHandler } from '@watchword/node/http';
 *
 * const handler = webHandler(async () => plainText(200, 'hello'));
 * const { url, close } = await serve(handler, { host: '127.0.0.1', port: 0 });
 * console.log(await (await fetch(url)).text()); // hello
 * await close();
 * ```
 */
export async function serve(handler: Pick<Handler, 'direct'>, options: ServeOptions): Promise<Listener> {
  const times = { ...defaults, ...options.times };
  const answers = new ResponseState();
  const server = newServer(options, times, {
    ServerResponse: safeResponses(answers),
    IncomingMessage: DirectMessage,
  });
  refuseSafely(server, answers);
  const drain = new Drain(server, { answers, deadline: times.close });
  const answering = new Answering(server, handler, options);
  await listen(server, options);
  const setLimits = observeConnections(server, options);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
  return {
    url: `${options.tls ? 'https' : 'http'}://${urlHost(options.host)}:${port}/`,
    port,
    replace: (next, { tls, connections } = {}) => {
      answering.replace(next, tls);
      if (connections) setLimits?.(connections);
    },
    close: () => drain.close(),
  };
}

/** The handler and the TLS settings of a server, which can be replaced while it runs. */
class Answering {
  readonly #server: Server;
  readonly #log: Log | undefined;
  readonly #peers: PeerCache;
  #ca: string | undefined;
  #listener: RequestListener;
  readonly #secured = new Set<Socket>();

  constructor(server: Server, { direct }: Pick<Handler, 'direct'>, { log, tls }: ServeOptions) {
    this.#server = server;
    this.#log = log;
    this.#ca = tls?.ca;
    this.#peers = peersOf(tls?.ca);
    this.#listener = directListener(direct, { peers: this.#peers, log });
    server.on('request', (incoming, outgoing) => this.#listener(incoming, outgoing));
    server.on('secureConnection', (socket: Socket) => {
      this.#secured.add(socket);
      socket.once('close', () => this.#secured.delete(socket));
    });
  }

  /** @throws StartError if TLS cannot be set up; nothing has changed then */
  replace({ direct }: Pick<Handler, 'direct'>, tls: TlsOptions | undefined): void {
    if (tls && this.#server instanceof TlsServer) {
      replaceTls(this.#server, secureOptions(tls));
      if (tls.ca !== this.#ca) {
        const outdated = new WeakSet(this.#secured);
        this.#peers.setAuthorities(tls.ca, (socket) => outdated.has(socket));
      }
      this.#ca = tls.ca;
    }
    this.#listener = directListener(direct, { peers: this.#peers, log: this.#log });
  }
}

function observeConnections(server: Server, { connections, log }: ServeOptions) {
  const ports = { clock: systemClock, log };
  const notAccepted = new ThrottledWarning(
    'a connection could not be accepted, and the server goes on',
    ports,
  );
  server.on('error', (error) => notAccepted.note({ error })); // ENFILE: the machine has no files left
  return connections && limitConnections(server, connections, ports);
}

/** @param messages the classes of requests and answers */
function newServer({ tls, challenge }: ServeOptions, times: ServeTimes, messages: ServerOptions): Server {
  const limits: ServerOptions = {
    ...messages,
    maxHeaderSize: 16_384,
    requireHostHeader: false, // refused by the listener, as every Host header that makes no address
    headersTimeout: times.headers,
    requestTimeout: times.request,
    keepAliveTimeout: times.keepAlive,
    connectionsCheckingInterval: Math.min(1000, times.headers),
  };
  if (!tls) return createServer(limits);
  const server = createTlsServer({
    ...{ ...limits, ...secureOptions(tls), handshakeTimeout: times.headers },
    ...(challenge && challengeOptions(challenge)),
  });
  endChallenges(server);
  return server;
}
