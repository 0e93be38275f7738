/** The web services as a handler: HTTP in, `service.web` in the middle, HTTP out. */
import type { Handler, Service } from '@watchword/core';
import { toResponse, toWebRequest } from '@watchword/core/adapters/http';

export interface WebServiceHandlerOptions {
  /** Longest request body, in bytes; default 1 MiB. */
  readonly bodyBytes?: number;
}

/** Paths are those of the contract, from the root: mount it at the root of a host or port. */
export function createWebServiceHandler(
  service: Pick<Service, 'web'>,
  { bodyBytes = 1 << 20 }: WebServiceHandlerOptions = {},
): Handler {
  return async (request, peer) =>
    toResponse(await service.web.answer(toWebRequest(request, peer, bodyBytes)), request.method);
}
