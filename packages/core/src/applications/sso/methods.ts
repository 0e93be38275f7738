/** The rows of the method table for SSO sessions of a user (an extension of ours). */
import { method } from '../../table/method.ts';
import { count, dn, optional, text } from '../../table/schema/index.ts';
import { endSessionsOf, type SsoAdministrationView, sessionList, sessionsOf } from './administration.ts';

const alice = 'uid=alice,ou=people,dc=example,dc=org';

export const ssoMethods = {
  User_Sessions: method({
    summary:
      'Lists the single sign-on sessions of a user, the oldest first, with an `id` that ends one and enters nowhere.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: sessionList(),
    permission: 'read',
    own: { does: 'looks' },
    run: ({ dn }, call: SsoAdministrationView) => sessionsOf(dn, call),
  }),
  Session_Stop: method({
    summary:
      'Ends a single sign-on session of a user, on every node; without `id` all of them. Answers how many have ended.',
    on: 'dn',
    params: { dn: dn(), id: optional(text()) },
    example: { dn: alice },
    result: count(),
    permission: 'write',
    own: { does: 'looks' },
    run: ({ dn, id }, call: SsoAdministrationView) => endSessionsOf(dn, id, call),
  }),
} as const;
