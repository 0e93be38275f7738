/** The server of a handler, over HTTPS or HTTP/1.1, with timeouts and a graceful shutdown. */
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Handler } from '@watchword/core/http';
import { ThrottledWarning } from '@watchword/core/ports';
import { systemClock } from '../machine/index.ts';
import { listen, urlHost } from '../machine/listen.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';
import { DirectMessage } from './direct/direct-message.ts';
import { Drain } from './drain.ts';
import { type ListenerOptions, listener } from './listener.ts';
import { AnswerState, refuseSafely, safeAnswers } from './safe-answers.ts';
import { secureOptions, type TlsOptions } from './tls.ts';

export interface ServeOptions extends Omit<ListenerOptions, 'ca'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The setting of the port, for the error when the port is taken. */
  readonly portSetting?: string;
  /** Left out: HTTP without TLS. */
  readonly tls?: TlsOptions;
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
  /** Answers all accepted requests within the timeout. Resolves when all connections are closed. */
  close(): Promise<void>;
}

const defaults: ServeTimes = { headers: 10_000, request: 60_000, keepAlive: 65_000, close: 10_000 };

/** Starts a server. @throws StartError if the port is taken, the address is not of this machine, or TLS cannot be set up */
export async function serve(handler: Pick<Handler, 'direct'>, options: ServeOptions): Promise<Listener> {
  const times = { ...defaults, ...options.times };
  const answers = new AnswerState();
  const server = newServer(options, times, {
    ServerResponse: safeAnswers(answers),
    IncomingMessage: DirectMessage,
  });
  refuseSafely(server, answers);
  const drain = new Drain(server, { answers, deadline: times.close });
  server.on('request', listener(handler, { log: options.log, ca: options.tls?.ca }));
  await listen(server, options);
  observeConnections(server, options);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
  return {
    url: `${options.tls ? 'https' : 'http'}://${urlHost(options.host)}:${port}/`,
    port,
    close: () => drain.close(),
  };
}

function observeConnections(server: Server, { connections, log }: ServeOptions): void {
  const ports = { clock: systemClock, log };
  const notAccepted = new ThrottledWarning(
    'a connection could not be accepted, and the server goes on',
    ports,
  );
  server.on('error', (error) => notAccepted.note({ error })); // ENFILE: the machine has no files left
  if (connections) limitConnections(server, connections, ports);
}

/** @param messages the classes of requests and answers */
function newServer({ tls }: ServeOptions, times: ServeTimes, messages: ServerOptions): Server {
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
  return createTlsServer({ ...limits, ...secureOptions(tls), handshakeTimeout: times.headers });
}
