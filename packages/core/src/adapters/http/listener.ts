/**
 * A handler as a listener of node:http. It works as it is in `http.createServer`, in Express
 * (`app.use('/manag', listener(handler))`) and in Fastify (after `reply.hijack()`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type Http2Bindings, type HttpBindings, RequestError } from '@hono/node-server';
import type { Handler } from '../../http/http.ts';
import type { Log } from '../../ports/log.ts';
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

export function listener(
  handler: Handler,
  { log, ca }: ListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const peers = peersOf(ca);
  const answer = async (request: Request, { incoming }: HttpBindings | Http2Bindings) =>
    addressOf(request.url) ? handler(request, peers.get(incoming.socket)) : malformed();
  return getRequestListener(answer, {
    overrideGlobalObjects: false,
    errorHandler: (error) => answerError(error, log),
  });
}

/** Its target or its Host header makes no address. */
const malformed = (): Response => new Response('Bad Request', { status: 400 });

/** A malformed request is the client's mistake, anything else ours. */
function answerError(error: unknown, log: Log | undefined): Response {
  if (error instanceof RequestError) return malformed();
  log?.error('a request failed', { error });
  return new Response('Internal Server Error', { status: 500 });
}
