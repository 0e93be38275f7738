/** `@watchword/core/http`: requests, answers and handlers, for listeners. */

export { readCookie } from './cookies.ts';
export type {
  DirectHandler,
  Handler,
  HttpAnswer,
  Peer,
  PeerCertificate,
  WebAnswer,
  WebRequest,
} from './http.ts';
export { isBare, plainText, toResponse } from './response.ts';
export { type SiteFile, type SiteFiles, siteAnswer } from './site.ts';
