/**
 * A handler as a listener of node:http. It works as it is in `http.createServer`, in Express
 * (`app.use('/manag', listener(handler))`) and in Fastify (after `reply.hijack()`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '@watchword/core/http';
import type { Log } from '@watchword/core/ports';
import { directListener } from './direct/direct-listener.ts';
import { peersOf } from './peers.ts';

export interface ListenerOptions {
  /** Told what a handler throws; the client learns nothing of it. */
  readonly log?: Log | undefined;
  /**
   * Authorities of client certificates, PEM, as the TLS server has them. An intermediate one may stand without its
   * root: Node's TLS servers pass over `allowPartialTrustChain` (20.20), so what they cannot trace to a root is checked
   * against these.
   */
  readonly ca?: string | undefined;
}

export const listener = (
  { direct }: Pick<Handler, 'direct'>,
  { log, ca }: ListenerOptions = {},
): ((incoming: IncomingMessage, outgoing: ServerResponse) => void) =>
  directListener(direct, { peers: peersOf(ca), log });
