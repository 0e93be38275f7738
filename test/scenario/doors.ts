/** The four ways in: in process, the handler, HTTPS, and the typed client. Each offers the same methods. */
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import type { Credentials, Handler, ManagerCalls, Service } from '@watchword/core';
import { basic } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { serve } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { createManagerHandler, managerServer } from '@watchword/server-manager';
import { Agent, fetch } from 'undici';

export interface Door {
  readonly manager: ManagerCalls;
  close(): Promise<void>;
}

type OpenDoor = (service: Service, admin: Credentials) => Promise<Door>;

export const doors: Readonly<Record<string, OpenDoor>> = {
  'in process': async (service, admin) => service.manager.login(admin),

  'the handler': async (service, admin) => {
    const handler = createManagerHandler(service);
    const peer = { address: '127.0.0.1', port: 40_000 };
    const post: Post = async (body) => {
      const headers = { authorization: basic(admin) };
      const request = new Request('https://localhost/manag/', { method: 'POST', headers, body });
      return (await handler(request, peer)).json();
    };
    return { manager: callsOver(post), close: async () => {} };
  },

  HTTPS: async (service, admin) => {
    const { url, ca, close } = await listen(managerServer(service, { limits }));
    const dispatcher = new Agent({ connect: { ca } });
    const post: Post = async (body) => {
      const headers = { authorization: basic(admin), 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body, dispatcher })).json();
    };
    return {
      manager: callsOver(post),
      close: async () => {
        await dispatcher.close();
        await close();
      },
    };
  },

  'the typed client': async (service, admin) => {
    const { url, ca, close } = await listen(managerServer(service, { limits }));
    const transport = nodeTransport({ ca });
    return {
      manager: createManager({ url, ...admin, fetch: transport.fetch }),
      close: async () => {
        await transport.close();
        await close();
      },
    };
  },
};

/** The handler's own limit is all that the shell asks of the configuration. */
const limits = { body_bytes: 1 << 20 } as Parameters<typeof managerServer>[1]['limits'];

type Post = (body: string) => Promise<unknown>;

/** JSON-RPC by hand, so that two of the doors owe nothing to the client. */
function callsOver(post: Post): ManagerCalls {
  const call = async (method: string, params: unknown = {}) => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
    const { result, error } = answer as { result?: unknown; error?: { reason: string; data?: string } };
    if (error) throw Object.assign(new Error(error.data), { reason: error.reason });
    return result;
  };
  return new Proxy({} as ManagerCalls, {
    get: (_, name) => (params?: unknown) => call(String(name), params),
  });
}

async function listen(handler: Handler) {
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'Scenario CA', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 };
  const tls = await issueServerCertificate(authority, names, ports);
  const listener = await serve(handler, { host: '127.0.0.1', port: 0, tls });
  return { url: `${listener.url}manag/`, ca: authority.certificate, close: () => listener.close() };
}
