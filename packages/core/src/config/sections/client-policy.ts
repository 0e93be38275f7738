/** Client policies (docs/concepts/policies-and-settings.md#layers). */

import { weaklyCached } from '../../table/schema/zod.ts';
import { isClientName } from '../values.ts';
import { settings } from './applications.ts';
import { dn, network } from './types.ts';

/** Modes, in the order of their numbers in `Set_Client_Mode`. */
export const clientModes = ['default', 'step_down', 'step_up', 'no_access'] as const;

const requestSetting = weaklyCached((z) =>
  z
    .string()
    .regex(
      /^(?:[A-Za-z][A-Za-z0-9]*\.)?[A-Za-z][A-Za-z0-9]*$/,
      'is not the name of a setting, with or without its application',
    ),
);

export const clientName = weaklyCached((z) =>
  z.string().refine(isClientName, {
    error: 'is neither a name of 1 to 128 characters, nor an address or network in CIDR notation',
    params: { cure: 'write for example "VPN", "192.168.1.5" or "10.0.0.0/8"' },
  }),
);

/** The settings of a client policy (docs/concepts/policies-and-settings.md#client-policy). */
export const clientPolicy = weaklyCached((z) =>
  z.strictObject({
    settings: settings().describe('Settings of every login from here.'),
    default_domain: z.string().optional().describe('The domain of logins from here without a domain.'),
    allowed_groups: z
      .array(dn())
      .default([])
      .describe('Only members of one of these groups log in from here; empty: everyone.'),
    excluded_groups: z.array(dn()).default([]).describe('Members of these groups do not log in from here.'),
    allowed_options: z
      .array(z.enum(['-LDAP', '-U2F']))
      .default([])
      .describe('Options with which a request from here may leave a factor out.'),
    addresses: z
      .array(network())
      .default([])
      .describe(
        'Addresses and networks whose callers are this client, whatever `client` a request names. Of several clients it is the one that names an address most narrowly.',
      ),
    allowed_settings: z
      .array(requestSetting())
      .optional()
      .describe(
        'Settings that requests of this client may set as they like, known by its key, certificate or address; others they may make stricter. By default all that a request may set where it is trusted, else none.',
      ),
    mode: z
      .enum(clientModes)
      .default('default')
      .describe(
        'Logins from here need one factor less or more than set, or are all refused; what an administrator sets by the Manager wins.',
      ),
    groups: z
      .array(z.strictObject({ group: dn(), settings: settings() }))
      .default([])
      .describe(
        'A list of `{group, settings}`: of logins from here by members of the group. The last one that fits wins.',
      ),
    networks: z
      .array(z.strictObject({ network: network(), settings: settings() }))
      .default([])
      .describe(
        'A list of `{network, settings}`: of logins from here by users in the network. The narrowest one wins.',
      ),
  }),
);
