/** Handlers on sockets: our own server, or mounted in node:http, Express or Fastify. */
export { readCookie, type SiteFile, type SiteFiles, siteResponse } from '@watchword/core/http';
export { readBody } from './body.ts';
export { type ConnectionLimits, limitConnections } from './connections.ts';
export { type JsonHead, jsonResponse } from './json-response.ts';
export { type ListenerOptions, listener } from './listener.ts';
export { behindProxies, type ProxyHeaders, type ProxyOptions } from './proxies.ts';
export { type Listener, type ServeOptions, serve } from './serve.ts';
export { replaceTls, secureOptions, type TlsOptions } from './tls.ts';
export { webHandler } from './web.ts';
