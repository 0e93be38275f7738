/**
 * Behind reverse proxies: who the client is, stands in headers that they write. Anybody can send such headers, so
 * they count on connections from the listed addresses only; there, the connection itself says nothing of the client.
 */
import { isIP } from 'node:net';
import { isLoopback, Network, StartError, unmapped } from '@watchword/core/foundation';
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
  /** Addresses and networks of the proxies; of everybody else, nothing is believed. */
  readonly proxies: readonly string[];
  readonly headers: ProxyHeaders;
  /** Authorities of client certificates, PEM: what a proxy passes on is checked against them. */
  readonly ca?: string | undefined;
  readonly clock: Clock;
  /** The log of proxies whose headers cannot be read, and of those that are not listed. */
  readonly log?: Log;
}

export interface ProxyHeaders {
  /** Where the client's address stands, and those of the proxies that it passed: `X-Forwarded-For`. */
  readonly address: string;
  /**
   * Where the client's certificate stands; left out: no client has one. Only for proxies that overwrite or remove
   * the header of a client: certificates are public, and anybody could show anybody's.
   */
  readonly certificate?: string | undefined;
}

/**
 * A handler that is told of the client where a proxy asks on its behalf. A proxy whose headers make no sense is
 * answered 400.
 * @throws StartError if a proxy is no address or network
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
      return direct(client === request ? request : asAsked(request, client));
    },
  });
}

const unreadable = plainText(400, 'Bad Request');

/** The same request, of somebody else. */
const asAsked = ({ method, url, headers, body }: WebRequest, client: Peer): WebRequest => ({
  ...client,
  ...{ method, url, headers, body },
});

class Proxies {
  readonly #networks: readonly Network[];
  readonly #headers: ProxyHeaders;
  readonly #authorities: ClientAuthorities;
  readonly #log: Log | undefined;
  /** Addresses that were warned of. */
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
   * Who asks: whoever is no proxy by itself. The certificate of a proxy's connection is the proxy's and never the client's;
   * when it is closed, the client has gone. Undefined: the headers of the proxy cannot be read.
   */
  clientOf(headers: Pick<Headers, 'get'>, peer: Peer): Peer | undefined {
    if (!this.#include(peer.address)) {
      if (headers.get(this.#headers.address) !== null) this.#warnOf(peer.address);
      return peer;
    }
    const client = this.#passedOn(headers, peer);
    if (!client) this.#log?.warn('a reverse proxy sent headers that cannot be read', { proxy: peer.address });
    return client;
  }

  /** Once for each address. Anybody may send the header: strangers get some lines of the log, and this machine always has its own. */
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

  #passedOn(headers: Pick<Headers, 'get'>, { address: proxy, signal }: Peer): Peer | undefined {
    const address = this.#addressOf(headers.get(this.#headers.address), proxy);
    const certificate = this.#certificateOf(headers);
    if (address === undefined || certificate === 'unreadable') return undefined;
    return { address, port: 0, signal, ...(certificate && { certificate }) };
  }

  /**
   * The rightmost address that is no proxy's: a client can write what it likes in front of what the proxies append.
   * What is no address there came from a proxy, and to take the proxy's own instead would let through whoever is
   * refused by address. Without the header it is the proxy itself that asks, to see whether we live for one.
   */
  #addressOf(header: string | null, proxy: string): string | undefined {
    const passed = header === null ? [proxy] : header.split(',').map((part) => withoutPort(part.trim()));
    const last = passed.findLast((address) => !this.#include(address)) ?? passed[0] ?? '';
    return isIP(last) === 0 || last.includes('%') ? undefined : unmapped(last);
  }

  #certificateOf(headers: Pick<Headers, 'get'>): PeerCertificate | 'unreadable' | undefined {
    const name = this.#headers.certificate;
    const header = name === undefined ? null : headers.get(name);
    if (isNoCertificate(header)) return undefined;
    const certificate = readCertificateHeader(header);
    if (!certificate) return 'unreadable';
    return { pem: certificate.toString(), authorized: this.#authorities.vouchFor(certificate) };
  }
}

const mostWarned = 16;

/** Some proxies write the port of the client, too: `192.0.2.7:1234`, `[2001:db8::7]:1234` (RFC 7239 §6). */
const withoutPort = (address: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(address)?.[1] ?? address;

function networkOf(text: string): Network {
  const network = Network.parse(text);
  if (network) return network;
  throw new StartError(
    `The reverse proxy ${text} is no address or network; write "10.0.0.5" or "10.0.0.0/8".`,
  );
}
