/** The settings of administrators and their logins. */

import { weaklyCached } from '../../table/schema/zod.ts';
import { optionSet, role } from './roles.ts';
import { client, dn, domainName, inGroup, origin, whole } from './types.ts';

const administrators = inGroup('Administrators');

export const managerModes = weaklyCached((z) => z.enum(['DN', 'UID', 'PKI']));

export const portalModes = weaklyCached((z) => z.enum(['PKI', 'UID', 'DN', 'OTP', 'U2F', 'MFA']));

export const administratorSettings = weaklyCached((z) => ({
  manager_auth: managerModes()
    .optional()
    .meta(
      administrators(
        'How administrators log in to the Manager: with a DN, a login name, or a client certificate; the password as well. By default as auth_mode says, else UID.',
      ),
    ),
  auth_mode: managerModes().optional().meta(administrators('How administrators log in to the Admin Portal.')),
  admin_auth: portalModes()
    .optional()
    .meta(
      administrators(
        'What the Admin Portal login wants: the password, and a login name (UID), a DN, a client certificate (PKI), a one-time password (OTP), a security key (U2F), or one of the last two (MFA). By default as auth_mode says, else as manager_auth.',
      ),
    ),
  admin_session: whole(60, 28_800, 900).meta(
    administrators(
      'Seconds after its last request that a session of the Admin Portal ends; after 8 hours it ends in any case.',
    ),
  ),
  manager_session: whole(0, 86_400, 0).meta(
    administrators('Longest life of an administrator session in seconds; 0: no sessions.'),
  ),
  manager_clients: z
    .array(client())
    .default([])
    .meta(administrators('Host names, addresses and networks that may use the Manager; empty: all.')),
  manager_origins: z
    .array(origin())
    .default([])
    .meta({
      ...administrators(
        'Origins whose pages may call the Manager by script (CORS), with cookies and logins; empty: none but its own.',
      ),
      examples: [['https://portal.example.com']],
    }),
  super_admins: z
    .array(dn())
    .default([])
    .meta(administrators('DNs of the users, and of the groups whose members, administer everything.')),
  reset_links_for_administrators: z
    .boolean()
    .default(false)
    .meta(
      administrators(
        'Administrators, by `super_admins` or by a role, may ask for a link to set a lost password, as other users may; false: another administrator sends one. With true, the mailbox of an administrator without a second factor is enough to become one.',
      ),
    ),
  roles: z
    .record(domainName(), role())
    .default({})
    .meta({
      ...administrators(
        'Administrators with less than all rights, by the names of their roles: who they are, and what they may do where. In `read` and `write`, `*` is every attribute but those of passwords, and no secret of user data.',
      ),
      examples: [
        {
          helpdesk: {
            members: ['cn=helpdesk,ou=groups,dc=example,dc=com'],
            methods: ['*_User_DN', '*_User_Attrs', '*_User_Password', 'Otp.Block_*'],
            subtrees: ['ou=people,dc=example,dc=com'],
            write: ['userPassword', 'webadmData'],
          },
        },
      ],
    }),
  option_sets: z
    .record(domainName(), optionSet())
    .default({})
    .meta({
      ...administrators(
        'Restrictions of subtrees by their names: for all administrators, super administrators too.',
      ),
      examples: [
        {
          archive: { subtree: 'ou=former,dc=example,dc=com', restricts: ['entries'], write: [], create: [] },
        },
      ],
    }),
}));
