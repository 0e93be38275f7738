/** Who is at the other end of a connection: its address, and its client certificate. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { unmapped } from '@watchword/core/foundation';
import type { Peer } from '@watchword/core/http';
import { systemClock } from '../machine/index.ts';
import { ClientAuthorities } from './client-authorities.ts';

/** What is known of whoever is at the other end, and how long its certificate counts, in milliseconds since 1970. */
interface Known {
  readonly peer: Peer;
  readonly until: number;
}

/** Read once for each connection: the address is gone when the socket closes, a certificate costs to read. */
/** @param ca authorities of client certificates, PEM */
export const peersOf = (ca: string | undefined): KnownPeers =>
  new KnownPeers(new ClientAuthorities(ca, systemClock));

class KnownPeers {
  readonly #known = new WeakMap<Socket, Known>();
  readonly #authorities: ClientAuthorities;

  constructor(authorities: ClientAuthorities) {
    this.#authorities = authorities;
  }

  /** TLS looks at the time when a connection begins, or one before it that is taken up; it may last for days. */
  get(socket: Socket): Peer {
    const { peer, until } = this.#known.get(socket) ?? this.#meet(socket);
    if (!peer.certificate || systemClock.now() <= until) return peer;
    return { ...peer, certificate: { ...peer.certificate, authorized: false } };
  }

  #meet(socket: Socket): Known {
    const known = this.#read(socket);
    this.#known.set(socket, known);
    return known;
  }

  #read(socket: Socket): Known {
    const address = unmapped(socket.remoteAddress ?? '');
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    const peer = { address, port: socket.remotePort ?? 0, signal: closedSignal(socket) };
    if (!certificate || !(socket instanceof TLSSocket)) return { peer, until: 0 };
    const authorized = socket.authorized || (isUntraced(socket) && this.#authorities.vouchFor(certificate));
    const until = Date.parse(certificate.validTo);
    return { peer: { ...peer, certificate: { pem: certificate.toString(), authorized } }, until };
  }
}

/** Aborted when a connection is closed. One for all its requests: they come one after the other. */
function closedSignal(socket: Socket): AbortSignal {
  const closed = new AbortController();
  if (socket.destroyed) closed.abort();
  else socket.once('close', () => closed.abort());
  return closed.signal;
}

/** No root was found. Whatever else TLS has against a certificate stands. */
const isUntraced = ({ authorizationError }: TLSSocket): boolean => untraced.has(String(authorizationError));

/** Names of X509_V_ERR_… */
const untraced: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
