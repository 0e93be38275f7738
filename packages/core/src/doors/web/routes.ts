/** Routing of the web services by path. Services and operations are found by any of their names. */

import { authorityPage, revocationListPage, statusPage } from '../../administration/pki/pages.ts';
import type { RowView } from '../../applications/context/call.ts';
import { TextCache } from '../../foundation/runtime/bounded-cache.ts';
import type { Page } from '../../table/page.ts';
import type { NamedOperation, OperationTable, WebService } from './operations.ts';

export type Route =
  | { readonly kind: 'index' }
  | { readonly kind: 'soap' | 'wsdl'; readonly service: WebService }
  /** `named`: the operation in the path, if there is one. */
  | { readonly kind: 'rest'; readonly service: WebService; readonly named: NamedOperation | undefined }
  /** `service`: that of an application's own page. */
  | {
      readonly kind: 'page' | 'file' | 'message';
      readonly page: Page<RowView>;
      readonly service?: WebService;
    };

/** Everything that the web-services server has. */
export class Routes {
  readonly #table: OperationTable;
  /** Routes by their paths, where the query does not matter. */
  readonly #cache = new TextCache<Route>(64);

  constructor(table: OperationTable) {
    this.#table = table;
  }

  /** @returns undefined: nothing is served there */
  at(url: URL): Route | undefined {
    if (url.search !== '') return routeOf(url, this.#table);
    const { pathname } = url;
    const known = this.#cache.get(pathname);
    if (known) return known;
    const route = routeOf(url, this.#table);
    return route && this.#cache.keep(pathname, route);
  }
}

function routeOf(url: URL, table: OperationTable): Route | undefined {
  if (url.pathname === '/') return { kind: 'index' };
  const [, word = '', part, operation] =
    /^\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?\/?$/.exec(url.pathname) ?? [];
  const service = table.find(word);
  if (!service) return sharedRouteOf(url, table);
  if (part === undefined) return { kind: hasParameter(url, 'wsdl') ? 'wsdl' : 'soap', service };
  if (part.toLowerCase() === 'json')
    return { kind: 'rest', service, named: operation === undefined ? undefined : service.known(operation) };
  return operation === undefined ? pageOf(service, part) : undefined;
}

const authorityRoutes: ReadonlyMap<string, Route> = new Map([
  ['/cacert', { kind: 'file', page: authorityPage }],
  ['/crl', { kind: 'file', page: revocationListPage }],
  ['/ocsp', { kind: 'message', page: statusPage }],
]);

/** Finds what the Manager's port serves as well: descriptions, the authority, short addresses of QR codes. */
export function sharedRouteOf({ pathname, searchParams }: URL, table: OperationTable): Route | undefined {
  if (pathname === '/websrvs/wsdl.php') {
    const service = table.find(searchParams.get('websrv') ?? '');
    return service && { kind: 'wsdl', service };
  }
  const authority = authorityRoutes.get(pathname.replace(/\/$/, ''));
  if (authority) return authority;
  const [, word = ''] = /^\/ws\/([^/]+)\/?$/.exec(pathname) ?? [];
  const service = table.find(word);
  return service && pageOf(service, searchParams.get('action') ?? '');
}

function pageOf(service: WebService, name: string): Route | undefined {
  const { pages = {} } = service.application;
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  return page && { kind: 'page', page, service };
}

/** `?wsdl`, `?WSDL`, `?wsdl=1`, `?x=1&wsdl` */
function hasParameter({ searchParams }: URL, name: string): boolean {
  return [...searchParams.keys()].some((key) => key.toLowerCase() === name);
}
