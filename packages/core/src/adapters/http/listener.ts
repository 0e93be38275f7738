/**
 * A handler as a listener of node:http. It works as it is in `http.createServer`, in Express
 * (`app.use('/manag', listener(handler))`) and in Fastify (after `reply.hijack()`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { domainToUnicode } from 'node:url';
import { getRequestListener, type Http2Bindings, type HttpBindings, RequestError } from '@hono/node-server';
import type { Handler, Peer } from '../../http/http.ts';
import type { Log } from '../../ports/log.ts';
import { unmapped } from '../../text/network.ts';
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
  const answer = async (request: Request, { incoming }: HttpBindings | Http2Bindings) =>
    isAddress(request.url) ? handler(request, peers.get(incoming.socket)) : malformed();
  return getRequestListener(answer, {
    overrideGlobalObjects: ownProcess,
    errorHandler: (error) => answerError(error, log),
  });
}

/** Host headers such as `xn--` pass the check of the library, which looks at their letters only. */
function isAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  if (!/xn--/i.test(url)) return true;
  return new URL(url).hostname.split('.').every(isLabel);
}

/** Node 20 refuses `xn--` in front of no Punycode (RFC 5890 §2.3.2.1), Node 24 leaves it as it is. */
const isLabel = (label: string): boolean => !label.startsWith('xn--') || domainToUnicode(label) !== label;

/** Its target or its Host header makes no address. */
const malformed = (): Response => new Response('Bad Request', { status: 400 });

/** A malformed request is the client's mistake, anything else ours. */
function answerError(error: unknown, log: Log | undefined): Response {
  if (error instanceof RequestError) return malformed();
  log?.error('a request failed', { error });
  return new Response('Internal Server Error', { status: 500 });
}

/** What is known of whoever is at the other end, and how long its certificate counts, in milliseconds since 1970. */
interface Known {
  readonly peer: Peer;
  readonly until: number;
}

/** Read once for each connection: the address is gone when the socket closes, a certificate costs to read. */
class KnownPeers {
  readonly #known = new WeakMap<Socket, Known>();
  readonly #authorities: ClientAuthorities;

  constructor(authorities: ClientAuthorities) {
    this.#authorities = authorities;
  }

  /** TLS looks at the time when a connection begins, or one before it that is taken up; it may last for days. */
  get(socket: Socket): Peer {
    const known = this.#known.get(socket) ?? this.#read(socket);
    this.#known.set(socket, known);
    const { peer, until } = known;
    if (!peer.certificate || systemClock.now() <= until) return peer;
    return { ...peer, certificate: { ...peer.certificate, authorized: false } };
  }

  #read(socket: Socket): Known {
    const address = unmapped(socket.remoteAddress ?? '');
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    const peer = { address, port: socket.remotePort ?? 0, gone: goneSignal(socket) };
    if (!certificate || !(socket instanceof TLSSocket)) return { peer, until: 0 };
    const authorized = socket.authorized || (isUntraced(socket) && this.#authorities.vouchFor(certificate));
    const until = Date.parse(certificate.validTo);
    return { peer: { ...peer, certificate: { pem: certificate.toString(), authorized } }, until };
  }
}

/** Aborted when a connection is closed. One for all its requests: they come one after the other. */
function goneSignal(socket: Socket): AbortSignal {
  const gone = new AbortController();
  if (socket.destroyed) gone.abort();
  else socket.once('close', () => gone.abort());
  return gone.signal;
}

/** No root was found. Whatever else TLS has against a certificate stands. */
const isUntraced = ({ authorizationError }: TLSSocket): boolean => untraced.has(String(authorizationError));

/** Names of X509_V_ERR_… */
const untraced: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
