/**
 * A page of an application, for apps and browsers on phones. It is served at `/<service>/<name>` of the web services, and at
 * `/ws/<service>/?action=<name>` of both servers.
 */
import type { WebResponse } from '../foundation/http/http.ts';

export interface PageRequest {
  readonly method: 'GET' | 'POST';
  /** The parameter `session` of the query. */
  readonly session?: string;
  /** @throws ServiceError `too_large` */
  readonly body: () => Uint8Array | Promise<Uint8Array>;
  readonly contentType?: string;
  /** The header `Accept-Language`. */
  readonly languages?: string;
  /** The IP address of the caller. */
  readonly address: string;
}

/**
 * A function that answers a request to a page. An error that it throws is answered like an error of a REST call.
 * @typeParam Touched context beside the request
 */
export type Page<Touched = unknown> = (request: PageRequest, context: Touched) => Promise<WebResponse>;
