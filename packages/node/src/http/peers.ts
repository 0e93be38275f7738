/** The peer of a connection: its address and client certificate. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { unmapIpv4 } from '@watchword/core/foundation';
import type { Peer } from '@watchword/core/http';
import { systemClock } from '../machine/index.ts';
import { ClientAuthorities } from './client-authorities.ts';

/** A peer, and the end of its certificate. */
interface CachedPeer {
  readonly peer: Peer;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * Creates a cache of peers: a closed socket has no address, and certificates are expensive to read.
 * @param ca authorities of client certificates, PEM
 */
export const peersOf = (ca: string | undefined): PeerCache => new PeerCache(ca);

export class PeerCache {
  readonly #signals = new WeakMap<Socket, AbortSignal>();
  #peers = new WeakMap<Socket, CachedPeer>();
  #authorities: ClientAuthorities;
  #isOutdated: (socket: Socket) => boolean = () => false;

  constructor(ca: string | undefined) {
    this.#authorities = new ClientAuthorities(ca, systemClock);
  }

  /**
   * Trusts other authorities from now on, also for the certificates of open connections.
   * @param isOutdated whether the handshake of a connection was with authorities of before, so that its result says nothing
   */
  setAuthorities(ca: string | undefined, isOutdated: (socket: Socket) => boolean): void {
    this.#authorities = new ClientAuthorities(ca, systemClock);
    this.#isOutdated = isOutdated;
    this.#peers = new WeakMap();
  }

  /** Returns the peer of a connection. Checks the validity of its certificate, which TLS checks only at the handshake. */
  get(socket: Socket): Peer {
    const { peer, until } = this.#peers.get(socket) ?? this.#add(socket);
    if (!peer.certificate || systemClock.now() <= until) return peer;
    return { ...peer, certificate: { ...peer.certificate, authorized: false } };
  }

  #add(socket: Socket): CachedPeer {
    const known = this.#read(socket);
    this.#peers.set(socket, known);
    return known;
  }

  #read(socket: Socket): CachedPeer {
    const address = unmapIpv4(socket.remoteAddress ?? '');
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    const peer = { address, port: socket.remotePort ?? 0, signal: this.#signalOf(socket) };
    if (!certificate || !(socket instanceof TLSSocket)) return { peer, until: 0 };
    const authorized = this.#isOutdated(socket)
      ? this.#authorities.trusts(certificate)
      : socket.authorized || (lacksRoot(socket) && this.#authorities.trusts(certificate));
    const until = Date.parse(certificate.validTo);
    return { peer: { ...peer, certificate: { pem: certificate.toString(), authorized } }, until };
  }

  /** Returns a signal that is aborted when the connection is closed, for all its requests. */
  #signalOf(socket: Socket): AbortSignal {
    const known = this.#signals.get(socket);
    if (known) return known;
    const closed = new AbortController();
    if (socket.destroyed) closed.abort();
    else socket.once('close', () => closed.abort());
    this.#signals.set(socket, closed.signal);
    return closed.signal;
  }
}

/** Returns whether TLS found no root; other errors of TLS are final. */
const lacksRoot = ({ authorizationError }: TLSSocket): boolean => missingRoot.has(String(authorizationError));

/** Names of X509_V_ERR_… */
const missingRoot: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
