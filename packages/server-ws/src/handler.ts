/** The web services as a handler: HTTP in, `service.web` in the middle, HTTP out. */
import type { Doors, Handler } from '@watchword/core';
import { webHandler } from '@watchword/node/http';

/**
 * Makes the handler of the web services. Its paths begin at the root: mount it at the root of a host or port.
 * @param service the service, of `createService`
 * @returns the handler, for `listener` and `serve`
 * @see docs/guide/embedding.md#serve-it-from-express
 * @example
 * ```ts
 * import { createService } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 * import { serve } from '@watchword/node/http';
 * import { createWebServiceHandler } from '@watchword/server-ws';
 *
 * const base = 'dc=example,dc=org';
 * const engines = await openEmbedded('./data', { base });
 * const service = createService({ domains: { Default: { base } } }, engines);
 * const { url, close } = await serve(createWebServiceHandler(service), { host: '127.0.0.1', port: 0 });
 * const body = new URLSearchParams({ username: 'alice', ldapPassword: 'a password' });
 * const answer = await fetch(`${url}otp/json/otpNormalLogin/`, { method: 'POST', body });
 * console.log((await answer.json()).code); // 0
 * await close();
 * await service.close();
 * await engines.close();
 * ```
 */
export const createWebServiceHandler = (service: Pick<Doors, 'web'>): Handler =>
  webHandler((request) => service.web.answer(request));
