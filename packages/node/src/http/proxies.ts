/** Headers of reverse proxies with the client's address and certificate. They are trusted on connections from listed addresses only. */
import { isIP } from 'node:net';
import { isLoopback, Network, StartError, unmapIpv4 } from '@watchword/core/foundation';
import {
  type Handler,
  type Peer,
  type PeerCertificate,
  plainText,
  toResponse,
  type WebRequest,
} from '@watchword/core/http';
import type { Clock, Log } from '@watchword/core/ports';
import { isNoCertificate, readCertificateHeader } from './certificate-header.ts';
import { ClientAuthorities } from './client-authorities.ts';

export interface ProxyOptions {
  /** Addresses and networks of the trusted proxies. */
  readonly proxies: readonly string[];
  readonly headers: ProxyHeaders;
  /** Authorities of client certificates in PEM, for certificates in headers. */
  readonly ca?: string | undefined;
  readonly clock: Clock;
  /** The log of unreadable headers, and of proxies that are not listed. */
  readonly log?: Log;
}

export interface ProxyHeaders {
  /** The header with the addresses of the client and the proxies: `X-Forwarded-For`. */
  readonly address: string;
  /**
   * The header with the client's certificate. Optional; default: none. Only for proxies that overwrite or remove the header of a client:
   * certificates are public.
   */
  readonly certificate?: string | undefined;
}

/**
 * Wraps a handler, which gets the client of a proxied request. Unreadable headers are answered with 400.
 * @param handler the handler that the proxies ask
 * @param options the trusted proxies, and the headers with the client's address and certificate
 * @returns the wrapped handler
 * @throws StartError if a proxy is not an address or network
 * @see docs/concepts/callers-and-sources.md#reverse-proxy
 * @example
 * ```ts
 * import { plainText } from '@watchword/core';
 * import { systemClock } from '@watchword/node';
 * import { behindProxies, serve, webHandler } from '@watchword/node/http';
 *
 * const echo = webHandler(async ({ address }) => plainText(200, address));
 * const proxied = { proxies: ['127.0.0.1'], headers: { address: 'X-Forwarded-For' }, clock: systemClock };
 * const { url, close } = await serve(behindProxies(echo, proxied), { host: '127.0.0.1', port: 0 });
 * const answer = await fetch(url, { headers: { 'X-Forwarded-For': '192.0.2.7' } });
 * console.log(await answer.text()); // 192.0.2.7
 * await close();
 * ```
 */
export function behindProxies(handler: Handler, options: ProxyOptions): Handler {
  if (options.proxies.length === 0 && !options.log) return handler;
  const proxies = new Proxies(options);
  const { direct } = handler;
  const known = async (request: Request, peer: Peer) => {
    const client = proxies.clientOf(request.headers, peer);
    return client ? handler(request, client) : toResponse(unreadable, request.method);
  };
  return Object.assign(known, {
    direct: async (request: WebRequest) => {
      const client = proxies.clientOf(request.headers, request);
      if (!client) return unreadable;
      return direct(client === request ? request : withPeer(request, client));
    },
  });
}

const unreadable = plainText(400, 'Bad Request');

/** Returns the request with another peer. */
const withPeer = ({ method, url, headers, body }: WebRequest, client: Peer): WebRequest => ({
  ...client,
  ...{ method, url, headers, body },
});

class Proxies {
  readonly #networks: readonly Network[];
  readonly #headers: ProxyHeaders;
  readonly #authorities: ClientAuthorities;
  readonly #log: Log | undefined;
  /** Addresses that were logged. */
  readonly #unlisted = new Set<string>();

  constructor({ proxies, headers, ca, clock, log }: ProxyOptions) {
    this.#log = log;
    this.#networks = proxies.map(networkOf);
    this.#headers = headers;
    this.#authorities = new ClientAuthorities(ca, clock);
  }

  #include(address: string): boolean {
    return this.#networks.some((network) => network.contains(address));
  }

  /**
   * Returns the client of a request. The certificate of a proxy's connection is the proxy's own; its end is the client's end. Undefined: the
   * headers are unreadable.
   */
  clientOf(headers: Pick<Headers, 'get'>, peer: Peer): Peer | undefined {
    if (!this.#include(peer.address)) {
      if (headers.get(this.#headers.address) !== null) this.#warnOf(peer.address);
      return peer;
    }
    const client = this.#forwarded(headers, peer);
    if (!client) this.#log?.warn('a reverse proxy sent headers that cannot be read', { proxy: peer.address });
    return client;
  }

  /** Logs an address once. Any client may send the header, so their number is limited, except for this machine. */
  #warnOf(address: string): void {
    if (this.#unlisted.has(address) || !this.#log) return;
    if (!isLoopback(address) && this.#unlisted.size >= mostWarned) return;
    this.#unlisted.add(address);
    this.#log.warn(
      `${this.#headers.address} comes from an address that is not in reverse_proxies, and is not believed: ` +
        'all who come by it are one source to the limits. If it is a proxy of yours, list it in reverse_proxies.',
      { proxy: address },
    );
  }

  #forwarded(headers: Pick<Headers, 'get'>, { address: proxy, signal }: Peer): Peer | undefined {
    const address = this.#addressOf(headers.get(this.#headers.address), proxy);
    const certificate = this.#certificateOf(headers);
    if (address === undefined || certificate === 'unreadable') return undefined;
    return { address, port: 0, signal, ...(certificate && { certificate }) };
  }

  /**
   * Returns the rightmost address that is not a proxy: a client can forge those before it. An invalid address there is unreadable, as the proxy's
   * own would evade refusals by address. Without the header the proxy itself is the client, as in health checks.
   */
  #addressOf(header: string | null, proxy: string): string | undefined {
    const addresses = header === null ? [proxy] : header.split(',').map((part) => withoutPort(part.trim()));
    const last = addresses.findLast((address) => !this.#include(address)) ?? addresses[0] ?? '';
    return isIP(last) === 0 || last.includes('%') ? undefined : unmapIpv4(last);
  }

  #certificateOf(headers: Pick<Headers, 'get'>): PeerCertificate | 'unreadable' | undefined {
    const name = this.#headers.certificate;
    const header = name === undefined ? null : headers.get(name);
    if (isNoCertificate(header)) return undefined;
    const certificate = readCertificateHeader(header);
    if (!certificate) return 'unreadable';
    return { pem: certificate.toString(), authorized: this.#authorities.trusts(certificate) };
  }
}

const mostWarned = 16;

/** Removes the port of the client, which some proxies append: `192.0.2.7:1234`, `[2001:db8::7]:1234` (RFC 7239 §6). */
const withoutPort = (address: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(address)?.[1] ?? address;

function networkOf(text: string): Network {
  const network = Network.parse(text);
  if (network) return network;
  throw new StartError(
    `The reverse proxy ${text} is not an address or network; write "10.0.0.5" or "10.0.0.0/8".`,
  );
}
