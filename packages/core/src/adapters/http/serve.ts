/** A handler on a socket of its own, over HTTPS or HTTP/1.1, with time limits and an orderly end. */
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIPv6 } from 'node:net';
import { StartError } from '../../errors/start-error.ts';
import { RareWarning } from '../../events/rare-warning.ts';
import type { Handler } from '../../http/http.ts';
import { systemClock } from '../system/index.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';
import { Drain } from './drain.ts';
import { type ListenerOptions, listener } from './listener.ts';
import { answerSafely } from './safe-answers.ts';
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
export async function serve(handler: Handler, options: ServeOptions): Promise<Listener> {
  const times = { ...usual, ...options.times };
  const server = newServer(options, times);
  const drain = new Drain(server, times.close);
  answerSafely(server);
  server.on('request', listener(handler, { ...options, ca: options.tls?.ca }));
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
  const lost = new RareWarning('a connection could not be accepted, and the server goes on', ports);
  server.on('error', (error) => lost.note({ error })); // ENFILE: the machine has no files left
  if (connections) limitConnections(server, connections, ports);
}

function newServer({ tls }: ServeOptions, times: ServeTimes): Server {
  const limits: ServerOptions = {
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

function listen(server: Server, options: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => reject(new StartError(whyNot(cause, options), { cause }));
    server.once('error', fail);
    server.listen(options.port, options.host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function whyNot({ code }: NodeJS.ErrnoException, { host, port, portSetting }: ServeOptions): string {
  const setting = portSetting === undefined ? '' : ` (${portSetting})`;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken; stop the program that listens there or choose another port${setting}.`;
    case 'EACCES':
      return `Port ${port} on ${host} may not be opened by this user; choose one above 1023${setting}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; listen on 127.0.0.1, 0.0.0.0 or one of its own.`;
    default:
      return `Port ${port} on ${host} cannot be opened (${code}).`;
  }
}

/** Something that a client on this machine can connect to. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}
