/** The descriptions of an installation on its servers: whoever may ask the Manager may read them, as everybody may a WSDL. */
import type { Handler } from '../http/http.ts';
import { type Descriptions, descriptionFolder } from './descriptions.ts';

/** What of a service is asked here. */
interface Described {
  readonly descriptions: Pick<Descriptions, 'file' | 'paths'>;
}

interface DescribedManager extends Described {
  readonly manager: { admits(address: string): Promise<boolean> };
}

/** `/manag/openrpc.json`, `/manag/descriptions/` and what it lists, `/openapi.json`. */
export function withManagerDescriptions(service: DescribedManager, next: Handler): Handler {
  const shared = withDescriptions(service, next);
  return async (request, peer) => {
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(below) ? pathname.slice(below.length) : '';
    const { descriptions, manager } = service;
    const text = path === `${descriptionFolder}/` ? listOf(descriptions) : descriptions.file(path);
    if (text === undefined || path === 'openapi.json') return shared(request, peer);
    if (!(await manager.admits(peer.address))) return new Response('Forbidden', { status: 403 });
    return answer(request, text);
  };
}

const below = '/manag/';

/** `/openapi.json` */
export function withDescriptions({ descriptions }: Described, next: Handler): Handler {
  return async (request, peer) => {
    const { pathname } = new URL(request.url);
    return pathname === '/openapi.json'
      ? answer(request, descriptions.file('openapi.json') ?? '')
      : next(request, peer);
  };
}

const listOf = ({ paths }: Described['descriptions']): string => {
  const own = paths.filter((path) => path.startsWith(`${descriptionFolder}/`));
  return `${JSON.stringify(
    own.map((path) => path.slice(descriptionFolder.length + 1)),
    null,
    2,
  )}\n`;
};

function answer({ method }: Request, text: string): Response {
  if (method !== 'GET' && method !== 'HEAD')
    return new Response('Method Not Allowed', { status: 405, headers: { allow: 'GET, HEAD' } });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' };
  return new Response(method === 'HEAD' ? null : text, { headers });
}
