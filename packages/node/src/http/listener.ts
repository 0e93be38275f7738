/**
 * A listener of node:http for a handler. It works in `http.createServer`, in Express (`app.use('/manag', listener(handler))`) and in Fastify (after
 * `reply.hijack()`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '@watchword/core/http';
import type { Log } from '@watchword/core/ports';
import { directListener } from './direct/direct-listener.ts';
import { peersOf } from './peers.ts';

export interface ListenerOptions {
  /** The log of errors of the handler, which the client does not see. */
  readonly log?: Log | undefined;
  /**
   * Authorities of client certificates in PEM, as in the TLS server. An intermediate one may be listed without its root: Node's TLS servers
   * ignore `allowPartialTrustChain` (20.20), so certificates without a root are checked against these.
   */
  readonly ca?: string | undefined;
}

export const listener = (
  { direct }: Pick<Handler, 'direct'>,
  { log, ca }: ListenerOptions = {},
): ((incoming: IncomingMessage, outgoing: ServerResponse) => void) =>
  directListener(direct, { peers: peersOf(ca), log });
