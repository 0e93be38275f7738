/**
 * A page of another site can have a browser send a form here, with what the browser keeps for us, or from where only it
 * stands (CSRF). Browsers tell where a request comes from (W3C Fetch Metadata), and for JSON they ask first whether it is
 * welcome (CORS); programs tell nothing.
 */

/** A browser sends it for a page of another site, which did not have to ask. */
export function isForged(headers: Pick<Headers, 'get'>): boolean {
  const isForeign = /^(?:cross|same)-site$/.test(headers.get('sec-fetch-site') ?? '');
  return isForeign && !/^application\/json *(?:;|$)/i.test(headers.get('content-type') ?? '');
}
