/** The web services as a handler: HTTP in, `service.web` in the middle, HTTP out. */
import type { Doors, Handler } from '@watchword/core';
import { toResponse, toWebRequest } from '@watchword/core/adapters/http';

/** Paths are those of the contract, from the root: mount it at the root of a host or port. */
export function createWebServiceHandler(service: Pick<Doors, 'web'>): Handler {
  return async (request, peer) =>
    toResponse(await service.web.answer(toWebRequest(request, peer)), request.method);
}
