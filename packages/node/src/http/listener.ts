/**
 * A handler as a listener of node:http. It works as it is in `http.createServer`, in Express
 * (`app.use('/manag', listener(handler))`) and in Fastify (after `reply.hijack()`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import type { Handler } from '@watchword/core/http';
import type { Log } from '@watchword/core/ports';
import { addressOf } from './direct/address.ts';
import { peersOf } from './peers.ts';

export interface ListenerOptions {
  /** Told what a handler throws; the client learns nothing of it. */
  readonly log?: Log;
  /**
   * Authorities of client certificates, PEM, as the TLS server has them. An intermediate one may stand without its
   * root: Node's TLS servers pass over `allowPartialTrustChain` (20.20), so what they cannot trace to a root is checked
   * against these.
   */
  readonly ca?: string | undefined;
}

const require = createRequire(import.meta.url);

/** Loaded where it is wanted: it has Node load its `fetch`, which is 12 MB, and our own servers answer from node:http. */
const library = (): typeof import('@hono/node-server') => require('@hono/node-server');

export function listener(
  handler: Handler,
  { log, ca }: ListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const peers = peersOf(ca);
  const { getRequestListener, RequestError } = library();
  const answer = async (request: Request, { incoming }: HttpBindings | Http2Bindings) =>
    addressOf(request.url) ? handler(request, peers.get(incoming.socket)) : malformed();
  return getRequestListener(answer, {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      // The client's mistake; anything else is ours.
      if (error instanceof RequestError) return malformed();
      log?.error('a request failed', { error });
      return new Response('Internal Server Error', { status: 500 });
    },
  });
}

/** Its target or its Host header makes no address. */
const malformed = (): Response => new Response('Bad Request', { status: 400 });
