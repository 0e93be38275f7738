/** Handlers on sockets: a listener of our own, or mounted in node:http, Express or Fastify. */
export { readBody } from './body.ts';
export { type ConnectionLimits, limitConnections } from './connections.ts';
export { type JsonHead, jsonResponse } from './json-response.ts';
export { type ListenerOptions, listener } from './listener.ts';
export { behindProxies, type ProxyHeaders, type ProxyOptions } from './proxies.ts';
export { type Listener, type ServeOptions, serve } from './serve.ts';
export { secureOptions, type TlsOptions } from './tls.ts';
export { toResponse, toWebRequest } from './web.ts';
