/** The common part of SOAP and REST: reads a request, runs its operation, and writes the fields of the result. */

import type { ServiceConfig } from '../../config/config.ts';
import type { ServiceError } from '../../foundation/errors/errors.ts';
import type { WebRequest, WebResponse } from '../../foundation/http/http.ts';
import type { Fields, Values } from '../../table/operation.ts';
import type { Given } from './fields.ts';
import type { NamedOperation, WebService } from './operations.ts';

/** The service that a request addresses. */
export interface Addressed {
  readonly service: WebService;
  /** The operation that the path names, if there is such a one. */
  readonly named?: NamedOperation | undefined;
}

/** The bounds of reading a request. */
export interface ReadLimits extends Pick<ServiceConfig['limits'], 'depth'> {
  /** Longest body, in bytes. */
  readonly body: number;
}

/** The operation that a request asks for, and its fields. */
export interface Asked {
  readonly operation: NamedOperation;
  readonly given: Given;
  /** The length of the body. */
  readonly bytes: number;
}

/** Answers hold secrets, and descriptions the address that one caller used. */
export const noStoreHeaders = (contentType: string): WebResponse['headers'] => ({
  'content-type': contentType,
  'cache-control': 'no-store',
});

/** Adds {@link noStoreHeaders} to an answer. */
export function withNoStore(response: WebResponse): WebResponse {
  if (response.headers['cache-control'] !== undefined) return response;
  return { ...response, headers: { 'cache-control': 'no-store', ...response.headers } };
}

/** RFC 9110 §11.6.1 wants a 401 to say how to log in; the scheme is a name of ours for the header X-API-Key. */
export const refusalHeaders = (
  { reason, retryAfter }: ServiceError,
  { word }: WebService,
): WebResponse['headers'] => ({
  ...(reason === 'credentials_refused' && { 'www-authenticate': `ApiKey realm="${word}"` }),
  ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
});

/** The differences of SOAP and REST. */
export interface WireFormat {
  /** @throws ServiceError if it is no request to this service */
  read(request: WebRequest, at: Addressed, limits: ReadLimits): Promise<Asked>;
  write(answer: Values<Fields>, asked: Asked, service: WebService): WebResponse;
  /** The answer where no operation was run. */
  writeError(error: ServiceError): WebResponse;
}
