/** The Admin Portal over HTTP: its files, its sessions and the calls of its pages. */
import { type DirectHandler, type Doors, plainText } from '@watchword/core';
import { type SiteFiles, siteResponse } from '@watchword/node/http';
import { toHttpResponse } from './handler.ts';

/** The path of the portal. */
const at = '/admin/';

/** The root of the server leads to the portal. */
const toPortal = plainText(302, '', { location: at });

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Serves the portal at `/admin`, to which `/` redirects; other requests are for `next`.
 * @param files of the portal; undefined: it was not built, and only programs sign in
 */
export function withPortal(
  { portal }: Pick<Doors, 'portal'>,
  files: SiteFiles | undefined,
  next: DirectHandler,
): DirectHandler {
  return async (request) => {
    const { pathname } = request.url;
    if (pathname === '/' && files && isRead(request.method)) return toPortal;
    if (pathname !== at.slice(0, -1) && !pathname.startsWith(at)) return next(request);
    if (pathname === `${at}session`) return portal.answerSession(request);
    if (pathname === `${at}rpc`) return toHttpResponse(await portal.answerCall(request));
    return files ? siteResponse(request, files, at) : next(request);
  };
}
