/** The Manager as a handler: HTTP in, `service.manager` in the middle, HTTP out. Mount it where you like. */
import {
  type DirectHandler,
  type Doors,
  type Handler,
  type HttpResponse,
  isDryRun,
  type ManagerResponse,
  plainText,
  sessionCookie,
  type WebRequest,
} from '@watchword/core';
import { jsonResponse, readCookie, webHandler } from '@watchword/node/http';

export interface ManagerHandlerOptions {
  /** Longest request body, in bytes; default 1 MiB. */
  readonly bodyBytes?: number;
}

/**
 * Makes the handler of the Manager. Every path that it is mounted at takes `POST` with JSON-RPC 2.0.
 * Anything else is refused, except preflight requests of listed origins.
 * @param service the service, of `createService`
 * @param options the longest request body in bytes
 * @returns the handler, for `listener` and `serve`
 * @see docs/guide/embedding.md#serve-it-from-express
 * @example
 * ```ts
 * import { createService } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 * import { serve } from '@watchword/node/http';
 * import { createManagerHandler } from '@watchword/server-manager';
 *
 * const base = 'dc=example,dc=org';
 * const engines = await openEmbedded('./data', { base });
 * const service = createService({ domains: { Default: { base } } }, engines);
 * const { url, close } = await serve(createManagerHandler(service), { host: '127.0.0.1', port: 0 });
 * console.log((await fetch(url)).status); // 405
 * await close();
 * await service.close();
 * await engines.close();
 * ```
 */
export const createManagerHandler = (
  service: Pick<Doors, 'manager'>,
  options: ManagerHandlerOptions = {},
): Handler => webHandler(answeringCalls(service, options));

/** The same for a server of our own. */
export function answeringCalls(
  service: Pick<Doors, 'manager'>,
  { bodyBytes = 1 << 20 }: ManagerHandlerOptions,
): DirectHandler {
  const { origins } = service.manager;
  return async (request) => {
    const said = origins.answering(request);
    if (origins.isPreflight(request))
      return { status: 204, headers: { ...said, ...origins.permitting(['POST']) }, body: '' };
    const refused = refusalOf(service, request);
    if (refused) return saying(await refused, said);
    return toHttpResponse(await service.manager.answer(toRequest(request, bodyBytes)), said);
  };
}

type Said = HttpResponse['headers'];

const saying = ({ status, headers, body }: HttpResponse, said: Said): HttpResponse => ({
  ...{ status, body },
  headers: { ...headers, ...said },
});

/** Undefined for a call. */
function refusalOf(
  { manager }: Pick<Doors, 'manager'>,
  request: WebRequest,
): Promise<HttpResponse> | undefined {
  if (request.method !== 'POST')
    return manager
      .recordRefused({ ...request, why: 'method' })
      .then(() => plainText(405, 'Method Not Allowed', { allow: 'POST' }));
  if (!manager.origins.isForged(request)) return undefined;
  return manager.recordRefused({ ...request, why: 'cross-site' }).then(() => plainText(403, 'Forbidden'));
}

function toRequest({ address, port, certificate, signal, headers, body }: WebRequest, bodyBytes: number) {
  return {
    address,
    port,
    certificate,
    signal,
    body: () => body(bodyBytes),
    authorization: headers.get('authorization') ?? undefined,
    cookie: readCookie(headers.get('cookie'), sessionCookie),
    isDryRun: isDryRun(headers),
    closing: /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.get('connection') ?? ''),
  };
}

/** @param said additional headers */
export function toHttpResponse({ status, headers, body }: ManagerResponse, said: Said = {}): HttpResponse {
  if (body === undefined) return saying({ status, headers, body: '' }, said);
  return jsonResponse(body, { status, headers: { ...headers, 'cache-control': 'no-store', ...said } });
}
