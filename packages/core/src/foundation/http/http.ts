/**
 * A server as a function, independent of Node's HTTP. `@watchword/node/http` serves it on a socket or mounts it in another framework.
 */

/** The client of a request: the other end of the connection, or the client that a reverse proxy reports. */
export interface Peer {
  /** An IPv4 or IPv6 address; an IPv4-mapped address is given as IPv4. */
  readonly address: string;
  /** Port of the peer; 0: unknown, as with a proxy. */
  readonly port: number;
  /** The client certificate, if one was presented. */
  readonly certificate?: PeerCertificate | undefined;
  /** Aborted when the connection is closed. */
  readonly signal?: AbortSignal | undefined;
}

export interface PeerCertificate {
  readonly pem: string;
  /**
   * Whether the certificate was verified against the authorities of the server: by TLS, or by us if a proxy passed it on. An unverified certificate
   * proves nothing, as anyone can make one with an administrator's subject.
   */
  readonly authorized: boolean;
}

/** A function that answers a request. An error that it throws is answered with 500 and no detail. */
export interface Handler {
  (request: Request, peer: Peer): Promise<Response>;
  /** The same without `Request` and `Response`, which are slow to make. */
  readonly direct: DirectHandler;
}

export type DirectHandler = (request: WebRequest) => Promise<HttpResponse>;

export interface WebRequest {
  readonly method: string;
  /** Absolute, with the host that the caller named. It is shared between requests, so it must not be changed. */
  readonly url: Readonly<URL>;
  readonly headers: Pick<Headers, 'get'>;
  /** Reads the body. @param most bytes @throws ServiceError `too_large` */
  readonly body: (most: number) => Uint8Array | Promise<Uint8Array>;
  /** IP address and port of the caller. */
  readonly address: string;
  readonly port: number;
  /** The client certificate of the TLS connection, if one was presented. */
  readonly certificate?: PeerCertificate | undefined;
  /** Aborted when the caller has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

/** A request before its body. */
export type WebHead = Omit<WebRequest, 'body'>;

export interface WebResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, each in a header of its own. */
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array;
}

/** An answer whose body may be an iterator: its pieces are written one after the other, with a yield to the event loop before each. */
export interface HttpResponse extends Omit<WebResponse, 'body'> {
  readonly body: WebResponse['body'] | Iterator<string, void>;
}
