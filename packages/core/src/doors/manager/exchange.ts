/** The request to the Manager and its answer, as HTTP transports them. */
import type { PeerCertificate } from '../../foundation/http/http.ts';
import type { RpcResponse } from './envelope.ts';

/** The cookie of an administrator's session (docs/concepts/callers-and-sources.md#administrator-session). */
export const sessionCookie = 'SVCMANAG';

export interface ManagerRequest {
  /** Reads the body, after the login only: a caller without credentials fills no memory. @throws ServiceError `too_large` */
  readonly body: () => Uint8Array | Promise<Uint8Array>;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The value of the cookie `SVCMANAG`. */
  readonly cookie: string | undefined;
  /** IP address and port of the caller. */
  readonly address: string;
  readonly port: number;
  /** The client certificate of the TLS connection; needed in mode PKI, ignored in the others. */
  readonly certificate?: PeerCertificate | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** The request said `Connection: close`: its session ends with it. */
  readonly closing: boolean;
  /** Its calls are judged, and change nothing. */
  readonly isDryRun?: boolean;
}

export interface ManagerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON-RPC response or an array of them; undefined where all calls were notifications. */
  readonly body: RpcResponse | readonly RpcResponse[] | undefined;
}
