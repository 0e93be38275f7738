/**
 * A page of an application: what phones and their browsers open, beside the operations of its web service. It
 * stands at `/<service>/<name>` of the web services and at `/ws/<service>/?action=<name>` of both servers.
 */
import type { WebAnswer } from '../foundation/http/http.ts';

export interface PageRequest {
  readonly method: 'GET' | 'POST';
  /** The parameter `session` of the query. */
  readonly session?: string;
  /** @throws ServiceError `too_large` */
  readonly body: () => Uint8Array | Promise<Uint8Array>;
  readonly contentType?: string;
  /** `Accept-Language`: what the browser's user reads best. */
  readonly languages?: string;
  /** IP address of the caller. */
  readonly address: string;
}

/**
 * What it throws is answered as an error of a REST call is.
 * @typeParam Touched what it touches beside the request
 */
export type Page<Touched = unknown> = (request: PageRequest, ground: Touched) => Promise<WebAnswer>;
