/** Certificates from an ACME server, Debian's Pebble, for the packed and installed web services. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { freePorts, type Pebble, startPebble } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Installation, openInstallation } from './installation.ts';

const base = 'dc=example,dc=org';
const domain = 'login.example.org';

let pebble: Pebble;
let installation: Installation;
let ports: { readonly http: number; readonly tls: number; readonly ws: number };
beforeAll(async () => {
  const [http, tls, ws] = (await freePorts(3)) as [number, number, number];
  ports = { http, tls, ws };
  pebble = await startPebble({ httpPort: http, tlsPort: tls });
  installation = await openInstallation('npm', {});
  await installation.write('acme-ca.pem', await readFile(pebble.ca, 'utf8'));
});
afterAll(async () => {
  await installation?.close();
  await pebble?.stop();
});

it.each(['http-01', 'tls-alpn-01'] as const)(
  'serves a certificate after %s, and other clients meanwhile',
  async (challenge) => {
    const port = challenge === 'http-01' ? ports.ws : ports.tls;
    const settings = {
      data: `data-${challenge}`,
      directory: { type: 'embedded', base },
      domains: { Default: { base } },
      super_admins: [`uid=admin,${base}`],
      ws: { port },
      acme: {
        ...{ directory: pebble.directory, ca: 'acme-ca.pem', domains: [domain], challenge },
        ...(challenge === 'http-01' && { http_host: '127.0.0.1', http_port: ports.http }),
      },
    };
    await installation.write('acme.yaml', JSON.stringify(settings));
    const server = await installation.serve('watchword-ws', '--config', 'acme.yaml');
    try {
      expect(await issuerAt(port, ['http/1.1'])).toMatch(/\S/);
      await expect
        .poll(() => issuerAt(port, ['http/1.1']), { timeout: 60_000, interval: 250 })
        .toMatch(/^Pebble/);
    } finally {
      expect(await server.stop()).toMatchObject({ code: 0 });
    }
  },
);

/** Returns the common name of the issuer of the certificate that a server shows. */
async function issuerAt(port: number, protocols: string[]): Promise<string> {
  const options = { servername: domain, ALPNProtocols: protocols, rejectUnauthorized: false };
  const socket = connect({ host: '127.0.0.1', port, ...options });
  await once(socket, 'secureConnect');
  const { issuer } = socket.getPeerCertificate();
  socket.destroy();
  return String(issuer.CN);
}
