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

export interface ListenerOptions {
  /** Told what a handler throws; the client learns nothing of it. */
  readonly log?: Log;
  /**
   * This process is the server's own: the global `Request` and `Response` may be replaced by lighter ones,
   * which makes an answer a third cheaper. Default: false, they belong to the program that mounts this.
   */
  readonly ownProcess?: boolean;
}

export function listener(
  handler: Handler,
  { log, ownProcess = false }: ListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const peers = new WeakMap<Socket, Peer>();
  return getRequestListener(
    async (request, { incoming }) => handler(request, knownPeer(peers, incoming.socket)),
    {
      overrideGlobalObjects: ownProcess,
      errorHandler: (error) => refuse(error, log),
    },
  );
}

/** A malformed target or Host header is the client's mistake, anything else ours. */
function refuse(error: unknown, log: Log | undefined): Response {
  if (error instanceof RequestError) return new Response('Bad Request', { status: 400 });
  log?.error('a request failed', { error });
  return new Response('Internal Server Error', { status: 500 });
}

/** Read once for each connection: the address is gone when the socket closes, a certificate costs to read. */
function knownPeer(peers: WeakMap<Socket, Peer>, socket: Socket): Peer {
  const known = peers.get(socket) ?? peerOf(socket);
  peers.set(socket, known);
  return known;
}

function peerOf(socket: Socket): Peer {
  const address = unmapped(socket.remoteAddress ?? '');
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  const peer = { address, port: socket.remotePort ?? 0 };
  if (!certificate || !(socket instanceof TLSSocket)) return peer;
  return { ...peer, certificate: { pem: certificate.toString(), authorized: socket.authorized } };
}
