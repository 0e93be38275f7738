/** The web services of a fixture over HTTPS, as clients of the field reach them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fixture } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { serve } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { webServiceServer } from '@watchword/server-ws';
import type { Answer, Client, Server } from './clients.ts';

export interface Served extends Server {
  close(): Promise<void>;
}

/** Closing it closes the fixture. @param port left out: one that is free */
export async function serveToClients(fixture: Fixture, port = 0): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-clients-'));
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'Clients CA', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: [], days: 1 };
  const tls = await issueServerCertificate(authority, names, ports);
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authority.certificate);
  const listener = await serve(webServiceServer(fixture.service), { host: 'localhost', port, tls });
  return {
    ...{ url: listener.url, ca },
    close: async () => {
      await listener.close();
      await fixture.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type Ask = (operation: string, fields: Parameters<Client>[1]) => Promise<Answer>;

/** Codes are numbers for all of them. */
export const asks =
  (client: Client, server: () => Server): Ask =>
  async (operation, fields) => {
    const answer: Answer = await client(operation, fields, server());
    return { ...answer, code: Number(answer.code) };
  };
