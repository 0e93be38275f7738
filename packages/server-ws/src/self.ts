/** The self-service portal over HTTP: its files. Its sessions and calls are answered by the web services. */
import type { DirectHandler } from '@watchword/core';
import { type SiteFiles, siteResponse } from '@watchword/node/http';

/** The path of the page. */
const at = '/self/';

/** Paths that `next` answers. */
const calls: readonly string[] = [`${at}session`, `${at}rpc`];

/** Serves the page at `/self`; other requests are for `next`. @param files of the page; undefined: it was not built, or is turned off */
export function withSelfService(files: SiteFiles | undefined, next: DirectHandler): DirectHandler {
  if (!files) return next;
  const page = async (request: Parameters<DirectHandler>[0]) => siteResponse(request, files, at);
  return (request) => {
    const { pathname } = request.url;
    const isPage = pathname === at.slice(0, -1) || pathname.startsWith(at);
    return isPage && !calls.includes(pathname) ? page(request) : next(request);
  };
}
