/** The settings of certificates from an ACME server (RFC 8555). */

import { isMailAddress } from '../../foundation/text/messages/mail-address.ts';
import { weaklyCached, zod } from '../../table/schema/zod.ts';
import { isCertifiableName, isHttpsUrl } from '../values.ts';
import { file, secret } from './types.ts';

const domainNames = weaklyCached((z) =>
  z
    .array(
      z
        .string()
        .refine(isCertifiableName, {
          error: 'is not a host name with a dot',
          params: {
            cure: 'write for example "login.example.com"; addresses and wildcards need certificate and key',
          },
        })
        .transform((name) => name.toLowerCase()),
    )
    .min(1)
    .max(100),
);

/** The account that exists at the ACME server already (RFC 8555 §7.3.4). */
const externalAccount = weaklyCached((z) =>
  z.strictObject({
    key_id: z.string().min(1).max(1024).describe('The identifier of the key.'),
    key: secret().optional().describe('The key in base64url. Prefer key_file.'),
    key_file: file().optional().describe('File with the key.'),
  }),
);

const order = () => ({
  directory: zod()
    .string()
    .refine(isHttpsUrl, {
      error: 'is not an https URL',
      params: { cure: 'write for example "https://acme-v02.api.letsencrypt.org/directory"' },
    })
    .describe('The URL of the directory of the ACME server. To name one agrees to its terms of service.'),
  domains: domainNames().describe('The host names of the certificate.'),
  email: zod()
    .string()
    .refine(isMailAddress, {
      error: 'is not a mail address',
      params: { cure: 'write one address without a name, as in "admin@example.com"' },
    })
    .optional()
    .describe('The address of the account, for notices of the ACME server. Optional; default: none.'),
  ca: file()
    .optional()
    .describe(
      'PEM file of the certificate authorities of the ACME server. Default: those of the operating system.',
    ),
  eab: externalAccount()
    .optional()
    .describe('The key of an existing account, where the ACME server demands one. Optional; default: none.'),
});

export const acme = weaklyCached((z) =>
  z.discriminatedUnion('challenge', [
    z.strictObject({
      challenge: z.literal('http-01').describe('The ACME server asks for a file on port 80 of each domain.'),
      ...order(),
      http_host: z
        .string()
        .min(1)
        .default('0.0.0.0')
        .describe('The address to listen on while a challenge is pending.'),
      http_port: z
        .int()
        .min(1)
        .max(65_535)
        .default(80)
        .describe(
          'The port to listen on while a challenge is pending; port 80 of each domain has to reach it.',
        ),
    }),
    z.strictObject({
      challenge: z
        .literal('tls-alpn-01')
        .describe(
          'The ACME server asks port 443 of each domain, which has to reach a listener of the servers.',
        ),
      ...order(),
    }),
  ]),
);
