/** The two kinds of directory: an LDAP server, and the embedded directory. */

import { weaklyCached } from '../../table/schema/zod.ts';
import { isDirectoryUrl } from '../values.ts';
import { dn, file, secret, whole } from './types.ts';

export const ldap = weaklyCached((z) =>
  z.strictObject({
    type: z.literal('ldap').describe('OpenLDAP, Active Directory or another LDAP server.'),
    urls: z
      .array(
        z.string().refine(isDirectoryUrl, {
          error: 'is not an LDAP URL',
          params: { cure: 'write "ldaps://host" or "ldaps://host:port"' },
        }),
      )
      .min(1)
      .describe('The servers, in the order of preference.'),
    start_tls: z.boolean().default(false).describe('Turn TLS on after connecting to ldap:// URLs.'),
    ca: file().optional().describe('PEM file of the certificate authorities of the servers.'),
    allow_plain: z
      .boolean()
      .default(false)
      .describe('Allow connections without TLS: passwords cross the network unencrypted.'),
    bind_dn: dn().describe('The identity that the service finds users with.'),
    bind_password: secret().optional().describe('The password of bind_dn. Prefer bind_password_file.'),
    bind_password_file: file().optional().describe('File with the password of bind_dn.'),
    base: dn().describe('The base DN of the directory.'),
    vendor: z
      .enum(['auto', 'openldap', 'active-directory'])
      .default('auto')
      .describe('The kind of server; auto detects it.'),
    timeout_s: whole(1, 600, 10).describe('Maximum time for one operation, in seconds.'),
    connections: whole(1, 256, 4).describe('Connections that the service keeps open.'),
  }),
);

export const embedded = weaklyCached((z) =>
  z.strictObject({
    type: z.literal('embedded').describe('The embedded directory.'),
    base: dn().describe('The base DN of the directory.'),
    password_min_length: z
      .int()
      .min(1)
      .max(128)
      .default(8)
      .describe('Minimum length of a new password, in characters. Existing passwords stay valid.'),
    refuse_common_passwords: z
      .boolean()
      .default(true)
      .describe('Refuse new passwords that are on a list of the most common ones.'),
  }),
);
