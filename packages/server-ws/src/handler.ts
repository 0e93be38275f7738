/** The web services as a handler. There are none yet: a page says so, and the health paths answer. */
import { type Handler, type Service, version, withHealth } from '@watchword/core';

export function createWebServiceHandler(service: Pick<Service, 'ready'>): Handler {
  return withHealth(service, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/') return new Response('Not Found', { status: 404 });
    return new Response(`Watchword web services ${version}\n`, { headers: { 'content-type': 'text/plain' } });
  });
}
