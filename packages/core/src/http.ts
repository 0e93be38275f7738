/**
 * A server as a function: what the thin servers are made of, and what `adapters/http` puts on a socket or
 * mounts in another framework. Nothing here knows Node's HTTP.
 */

/** Who is at the other end of the connection. */
export interface Peer {
  /** IPv4 or IPv6 address; an IPv4 address mapped into IPv6 is given as IPv4. */
  readonly address: string;
  readonly port: number;
  /** The client certificate of the TLS connection, if one was presented. */
  readonly certificate?: PeerCertificate;
}

export interface PeerCertificate {
  readonly pem: string;
  /**
   * True if TLS checked it against the certificate authority of the server. Anybody can make a certificate
   * with an administrator's subject: one that is not authorised proves nothing.
   */
  readonly authorized: boolean;
}

/** Answers one request. What it throws is answered with 500 and no detail. */
export type Handler = (request: Request, peer: Peer) => Promise<Response>;
