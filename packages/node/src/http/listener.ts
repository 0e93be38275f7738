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

/**
 * Makes the listener of a handler for `node:http`, `node:https`, Express and Fastify.
 * In Express: `app.use('/manag', listener(handler))`. In Fastify: after `reply.hijack()`.
 * @param handler the handler, such as that of `createManagerHandler`
 * @param options the log of errors, and the authorities of client certificates in PEM
 * @returns the listener, for `createServer` and its event `request`
 * @see docs/guide/embedding.md#serve-it-from-nodehttp
 * @example
 * ```ts
 * import { once } from 'node:events';
 * import { createServer } from 'node:http';
 * import { plainText } from '@watchword/core';
 * import { listener, webHandler } from '@watchword/node/http';
 *
 * const server = createServer(listener(webHandler(async () => plainText(200, 'hello'))));
 * await once(server.listen(0, '127.0.0.1'), 'listening');
 * const address = server.address();
 * const port = typeof address === 'object' ? address?.port : undefined;
 * console.log(await (await fetch(`http://127.0.0.1:${port}/`)).text()); // hello
 * server.close();
 * ```
 */
export const listener = (
  { direct }: Pick<Handler, 'direct'>,
  { log, ca }: ListenerOptions = {},
): ((incoming: IncomingMessage, outgoing: ServerResponse) => void) =>
  directListener(direct, { peers: peersOf(ca), log });
