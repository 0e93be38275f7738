/** A handler on a socket of its own, over HTTPS or HTTP/1.1, with time limits and an orderly end. */
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
import { Answering, refuseSafely, safeAnswers } from './safe-answers.ts';
import { secureOptions, type TlsOptions } from './tls.ts';

export interface ServeOptions extends Omit<ListenerOptions, 'ca'> {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Where the operator sets the port; named when it is taken. */
  readonly portSetting?: string;
  /** Left out: HTTP without TLS. */
  readonly tls?: TlsOptions;
  readonly times?: Partial<ServeTimes>;
  /** Left out: as many as come. */
  readonly connections?: ConnectionLimits;
}

/** All in milliseconds. */
export interface ServeTimes {
  /** A request's headers have to be there by then (slowloris). */
  readonly headers: number;
  /** A whole request has to be there by then. */
  readonly request: number;
  /** How long an idle connection is kept; more than the 60 s that proxies keep theirs. */
  readonly keepAlive: number;
  /** How long {@link Listener.close} waits for requests to be answered before it cuts them off. */
  readonly close: number;
}

export interface Listener {
  /** Ends with a slash. */
  readonly url: string;
  readonly port: number;
  /** Answers every request that was accepted, within the deadline, and resolves when all is closed. */
  close(): Promise<void>;
}

const usual: ServeTimes = { headers: 10_000, request: 60_000, keepAlive: 65_000, close: 10_000 };

/** @throws StartError with one sentence if the port is taken, the address is not ours or TLS cannot be set up */
export async function serve(handler: Pick<Handler, 'direct'>, options: ServeOptions): Promise<Listener> {
  const times = { ...usual, ...options.times };
  const answering = new Answering();
  const server = newServer(options, times, {
    ServerResponse: safeAnswers(answering),
    IncomingMessage: DirectMessage,
  });
  refuseSafely(server, answering);
  const drain = new Drain(server, { answering, deadline: times.close });
  server.on('request', listener(handler, { log: options.log, ca: options.tls?.ca }));
  await listen(server, options);
  watchConnections(server, options);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
  return {
    url: `${options.tls ? 'https' : 'http'}://${urlHost(options.host)}:${port}/`,
    port,
    close: () => drain.close(),
  };
}

function watchConnections(server: Server, { connections, log }: ServeOptions): void {
  const ports = { clock: systemClock, log };
  const lost = new ThrottledWarning('a connection could not be accepted, and the server goes on', ports);
  server.on('error', (error) => lost.note({ error })); // ENFILE: the machine has no files left
  if (connections) limitConnections(server, connections, ports);
}

/** @param messages what requests and answers are made of */
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
