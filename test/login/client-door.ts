/** The typed client as a door of the login tests: over HTTPS, with a certificate that it checks. */
import { createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import type { Service } from '@watchword/core';
import { systemClock, systemRandom } from '@watchword/node';
import { serve } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { createWebServiceHandler } from '@watchword/server-ws';
import { callsOf, type Door, onWire } from './doors.ts';

export interface ListeningDoor {
  readonly door: Door;
  close(): Promise<void>;
}

export async function openClientDoor(service: Pick<Service, 'web'>, word = 'otp'): Promise<ListeningDoor> {
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'Login tests', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 };
  const tls = await issueServerCertificate(authority, names, ports);
  const listener = await serve(createWebServiceHandler(service), { host: '127.0.0.1', port: 0, tls });
  const transport = nodeTransport({ ca: authority.certificate });
  const web = createWebServices({ url: listener.url, fetch: transport.fetch, names: { otp: word } });
  return {
    door: onWire(callsOf(web)),
    close: async () => {
      await transport.close();
      await listener.close();
    },
  };
}
