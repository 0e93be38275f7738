/**
 * A server as a function: what the thin servers are made of, and what `@watchword/node/http` puts on a socket or
 * mounts in another framework. Nothing here knows Node's HTTP.
 */

/** Who asks: whoever is at the other end of the connection, or the client that a reverse proxy asks for. */
export interface Peer {
  /** IPv4 or IPv6 address; an IPv4 address mapped into IPv6 is given as IPv4. */
  readonly address: string;
  /** 0 if it is not known: proxies do not tell. */
  readonly port: number;
  /** The client certificate, if one was presented. */
  readonly certificate?: PeerCertificate | undefined;
  /** Aborted when the connection is closed: nobody waits for an answer any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface PeerCertificate {
  readonly pem: string;
  /**
   * True if it was checked against the authorities of the server, by TLS or, behind a proxy, by us. Anybody can make a
   * certificate with an administrator's subject: one that is not authorised proves nothing.
   */
  readonly authorized: boolean;
}

/** Answers one request. What it throws is answered with 500 and no detail. */
export interface Handler {
  (request: Request, peer: Peer): Promise<Response>;
  /** The same without the platform's objects, as servers of Node ask: to make them costs more than what is done with them. */
  readonly direct: DirectHandler;
}

export type DirectHandler = (request: WebRequest) => Promise<HttpAnswer>;

/** A request to the web services as HTTP brings it. */
export interface WebRequest {
  readonly method: string;
  /** Absolute, with the host that the caller named. Requests to the same address share it: it is not to be changed. */
  readonly url: Readonly<URL>;
  readonly headers: Pick<Headers, 'get'>;
  /** At once where it is there. @param most in bytes @throws ServiceError `too_large` */
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

export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each is a header `Set-Cookie` of its own. */
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array;
}

/** Also one that is long: its pieces are written one after the other, with a turn for others before each. */
export interface HttpAnswer extends Omit<WebAnswer, 'body'> {
  readonly body: WebAnswer['body'] | Iterator<string, void>;
}
