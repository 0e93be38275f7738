/**
 * A handler as a listener of node:http. It works as it is in `http.createServer`, in Express
 * (`app.use('/manag', listener(handler))`) and in Fastify (after `reply.hijack()`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Handler, Peer } from '../../http.ts';
import { unmapped } from '../../network.ts';
import type { Log } from '../../ports/log.ts';
import { systemClock } from '../system/index.ts';
import { ClientAuthorities } from './client-authorities.ts';

export interface ListenerOptions {
  /** Told what a handler throws; the client learns nothing of it. */
  readonly log?: Log;
  /**
   * Authorities of client certificates, PEM, as the TLS server has them. An intermediate one may stand without its
   * root: Node's TLS servers pass over `allowPartialTrustChain` (20.20), so what they cannot trace to a root is checked
   * against these.
   */
  readonly ca?: string | undefined;
  /**
   * This process is the server's own: the global `Request` and `Response` may be replaced by lighter ones,
   * which makes an answer a third cheaper. Default: false, they belong to the program that mounts this.
   */
  readonly ownProcess?: boolean;
}

export function listener(
  handler: Handler,
  { log, ca, ownProcess = false }: ListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const peers = new KnownPeers(new ClientAuthorities(ca, systemClock));
  return getRequestListener(async (request, { incoming }) => handler(request, peers.get(incoming.socket)), {
    overrideGlobalObjects: ownProcess,
    errorHandler: (error) => refuse(error, log),
  });
}

/** A malformed target or Host header is the client's mistake, anything else ours. */
function refuse(error: unknown, log: Log | undefined): Response {
  if (error instanceof RequestError) return new Response('Bad Request', { status: 400 });
  log?.error('a request failed', { error });
  return new Response('Internal Server Error', { status: 500 });
}

/** Read once for each connection: the address is gone when the socket closes, a certificate costs to read. */
class KnownPeers {
  readonly #peers = new WeakMap<Socket, Peer>();
  readonly #authorities: ClientAuthorities;

  constructor(authorities: ClientAuthorities) {
    this.#authorities = authorities;
  }

  get(socket: Socket): Peer {
    const known = this.#peers.get(socket) ?? this.#read(socket);
    this.#peers.set(socket, known);
    return known;
  }

  #read(socket: Socket): Peer {
    const address = unmapped(socket.remoteAddress ?? '');
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    const peer = { address, port: socket.remotePort ?? 0 };
    if (!certificate || !(socket instanceof TLSSocket)) return peer;
    const authorized = socket.authorized || this.#authorities.vouchFor(certificate);
    return { ...peer, certificate: { pem: certificate.toString(), authorized } };
  }
}
