/** The request that a page of an application receives. */
import type { ServiceConfig } from '../../config/config.ts';
import type { WebRequest } from '../../foundation/http/http.ts';
import type { PageRequest } from '../../table/page.ts';
import { usualBody } from './operations.ts';

export function pageRequest(
  { method, url, headers, body, address }: WebRequest,
  { body_bytes }: Pick<ServiceConfig['limits'], 'body_bytes'>,
): PageRequest {
  const session = url.searchParams.get('session');
  const [contentType, languages] = [headers.get('content-type'), headers.get('accept-language')];
  return {
    method: method === 'POST' ? 'POST' : 'GET',
    ...(session !== null && { session }),
    body: () => body(Math.min(body_bytes, usualBody)),
    ...(contentType !== null && { contentType }),
    ...(languages !== null && { languages }),
    address,
  };
}
