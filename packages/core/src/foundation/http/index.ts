/** `@watchword/core/http`: requests, answers and handlers, for listeners. */

export { readCookie } from './cookies.ts';
export type {
  DirectHandler,
  Handler,
  HttpResponse,
  Peer,
  PeerCertificate,
  WebRequest,
  WebResponse,
} from './http.ts';
export { isBare, plainText, toResponse } from './response.ts';
export { type SiteFile, type SiteFiles, siteResponse } from './site.ts';
