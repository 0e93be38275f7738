/** The settings of listeners and of requests. */

import { weaklyCached, zod } from '../../table/schema/zod.ts';
import { acme } from './acme.ts';
import { limits } from './limits.ts';
import { file, inGroup, network, webAddress, whole } from './types.ts';

const interfaces = inGroup('Interfaces');

const listener = (port: number) =>
  zod().strictObject({
    host: zod().string().min(1).default('127.0.0.1').describe('The address to listen on.'),
    port: whole(0, 65_535, port).describe('The port to listen on; 0 takes a free one.'),
    certificate: file().optional().describe('PEM file of the server certificate, followed by intermediates.'),
    key: file().optional().describe('PEM file of its private key.'),
  });

const webListener = (port: number) =>
  listener(port).extend({
    client_ca: file()
      .optional()
      .describe(
        'PEM file of the authority of client certificates, where a service demands them; by default that of data.',
      ),
  });

const portNumber = () => zod().int().min(0).max(65_535);

const ldapDoor = weaklyCached((z) =>
  z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1').describe('The address to listen on.'),
      ldaps_port: portNumber()
        .optional()
        .describe('The port of `ldaps://`, 636 as a rule; 0 takes a free one.'),
      port: portNumber()
        .optional()
        .describe('The port of `ldap://` with StartTLS, 389 as a rule; 0 takes a free one.'),
      client: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe('The client policy of logins here, where the address that they come from has none.'),
    })
    .refine(({ ldaps_port, port }) => ldaps_port !== undefined || port !== undefined, {
      error: 'has no port',
      params: { cure: 'write ldaps_port: 636, or port: 389 for StartTLS' },
    }),
);

/** The name of a header (RFC 9110 §5.1). */
const headerName = weaklyCached((z) =>
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'is not the name of a header'),
);

const proxyHeaders = weaklyCached((z) =>
  z.strictObject({
    address: headerName()
      .default('X-Forwarded-For')
      .describe("The header with the client's address; the rightmost one that is no proxy's counts."),
    certificate: headerName()
      .optional()
      .describe(
        "The header with the client's certificate (RFC 9440, or PEM); only for proxies that overwrite the one of a client.",
      ),
  }),
);

/** The ports of the bundled servers, also the default of an embedding program's addresses. */
export const ports = { manager: 4443, ws: 8443 } as const;

export const interfaceSettings = weaklyCached((z) => ({
  dialect: z
    .enum(['standard', 'deployed'])
    .default('standard')
    .meta(interfaces('Answers by the standards, or as servers in the field do.')),
  limits: limits()
    .prefault({})
    .meta(interfaces('How much one request, one address and one user may ask for.')),
  ws_url: webAddress().meta(
    interfaces(
      'Where clients reach the web services, for WSDL and QR codes; by default the address of ws, on localhost if it listens on no particular host.',
    ),
  ),
  wsdl_address: z
    .enum(['ws_url', 'caller'])
    .optional()
    .meta(
      interfaces(
        'Which address WSDL and index name: that of ws_url, or the host that the caller asked, which a reverse proxy may hide. By default ws_url where it is set, else the host that was asked.',
      ),
    ),
  manager_url: webAddress().meta(
    interfaces(
      'Where clients reach the Manager, for the short addresses in QR codes; by default as ws_url, of manager.',
    ),
  ),
}));

/** Settings of the bundled servers only. */
export const interfaceServerSettings = weaklyCached((z) => ({
  manager: listener(ports.manager).prefault({}).meta(interfaces('Where the Manager server listens.')),
  ws: webListener(ports.ws).prefault({}).meta(interfaces('Where the web-service server listens.')),
  acme: acme()
    .optional()
    .meta({
      ...interfaces(
        'The ACME server that issues and renews the certificate of each listener without certificate and key. Optional; default: the authority of data issues it.',
      ),
      examples: [
        {
          challenge: 'http-01',
          directory: 'https://acme-v02.api.letsencrypt.org/directory',
          domains: ['login.example.com'],
          email: 'admin@example.com',
        },
      ],
    }),
  ldap_door: ldapDoor()
    .optional()
    .meta({
      ...interfaces(
        'Where applications log users in by an LDAP bind with the password and the code in one. Left out: nowhere.',
      ),
      examples: [{ host: '0.0.0.0', ldaps_port: 636, client: 'ldap' }],
    }),
  reverse_proxies: z
    .array(network())
    .default([])
    .meta({
      ...interfaces('Addresses and networks of reverse proxies, whose headers say who the client is.'),
      examples: [['10.0.0.5', '2001:db8::/64']],
    }),
  proxy_headers: proxyHeaders()
    .prefault({})
    .meta(interfaces('The headers of reverse_proxies that are believed; from elsewhere none is.')),
}));
