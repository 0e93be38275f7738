/** The settings of directories and domains. */

import { weaklyCached } from '../../table/schema/zod.ts';
import { embedded, ldap } from './directory-engine.ts';
import { roles } from './schema.ts';
import { attribute, dn, domainName, inGroup } from './types.ts';

const directories = inGroup('Directory and domains');

export const domain = weaklyCached((z) =>
  z.strictObject({
    base: dn().describe('The DN below which the users of the domain are.'),
    aliases: z
      .array(domainName())
      .default([])
      .describe(
        'Other names of the domain, such as EXAMPLE and example.com: in a field, and in logins as EXAMPLE\\name and name@example.com.',
      ),
    login_attributes: z
      .array(attribute())
      .min(1)
      .optional()
      .describe('Attributes that hold login names here; by default those of schema.'),
    groups_base: dn()
      .optional()
      .describe(
        'The DN below which groups of these users are looked for; by default the base of the directory.',
      ),
    allowed_groups: z
      .array(dn())
      .default([])
      .describe(
        'Only members of one of these groups log in; empty: everyone. Members by a primary group or a group in the group count.',
      ),
    excluded_groups: z
      .array(dn())
      .default([])
      .describe(
        'Members of these groups do not log in, members by a primary group or a group in the group among them.',
      ),
  }),
);

export const directorySettings = weaklyCached((z) => ({
  domains: z
    .record(domainName(), domain())
    .refine((map) => Object.keys(map).length > 0, {
      error: 'names no domain',
      params: { cure: 'write at least one, as in "Default: {base: ...}"' },
    })
    .meta({
      ...directories('Names that users log in with, and where in the directory their users stand.'),
      examples: [{ Default: { base: 'dc=example,dc=com' } }],
    }),
  default_domain: z
    .string()
    .optional()
    .meta(directories('The domain of a login without one; by default "Default", else the first.')),
  stores: z
    .enum(['shared', 'separate'])
    .default('shared')
    .meta(
      directories(
        'Whether all servers in front of a directory share one data folder. With separate each may have its own, and every one-time password is noted on the entry of its user, so that no two of them take the same one.',
      ),
    ),
  schema: roles()
    .prefault({})
    .meta(directories('What the classes and attributes of this directory are for.')),
}));

/** Settings of the bundled servers only. */
export const directoryServerSettings = weaklyCached((z) => ({
  directory: z.discriminatedUnion('type', [ldap(), embedded()]).meta({
    ...directories('Where users and groups are kept.'),
    examples: [{ type: 'embedded', base: 'dc=example,dc=com' }],
  }),
  directories: z
    .record(domainName(), z.discriminatedUnion('type', [ldap(), embedded()]))
    .default({})
    .meta({
      ...directories(
        'More directories, by names of your own. Which one an entry is in, and so a domain, is known by their bases. Administrators work in others than their own with the rights of its bind_dn.',
      ),
      examples: [
        {
          branch: {
            type: 'ldap',
            urls: ['ldaps://ad.branch.example'],
            bind_dn: 'cn=watchword,cn=Users,dc=branch,dc=example',
            bind_password_file: '/etc/watchword/branch-password',
            base: 'dc=branch,dc=example',
          },
        },
      ],
    }),
}));
