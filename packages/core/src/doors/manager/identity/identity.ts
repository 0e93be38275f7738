/** A claimed identity, as each authentication mode names it. */

import type { ManagerAuth } from '../../../config/config.ts';
import { isMachine, kindAttributes } from '../../../directory/entry/entry.ts';
import { decoyUser, findUser, isAdmitted, splitLogin } from '../../../directory/entry/user.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { byCertificate } from './certificate-identity.ts';
import type { Identities, IdentityView } from './identities.ts';

const modes: Readonly<Record<ManagerAuth, (view: IdentityView) => Identities>> = {
  DN: byDn,
  UID: byLoginName,
  PKI: (view) => byCertificate(view, byLoginName(view)),
};

export const identitiesOf = (view: IdentityView): Identities => modes[view.door.auth](view);

function byDn({ domains, server: { service } }: IdentityView): Identities {
  return {
    find: async ({ username }) => {
      const user = Dn.tryParse(username);
      if (!user) return 'the name is no DN';
      const entry = await service.read(user, kindAttributes);
      if (entry && isMachine(entry)) return 'the name is that of a machine account';
      return { user, isThere: entry !== undefined };
    },
    decoy: ({ username }) => decoyUser(domains.preset.base, username),
    stillAdmits: async () => true,
  };
}

function byLoginName({ config, server: { service }, domains, memberships }: IdentityView): Identities {
  const parse = (given: string) => {
    const { domain = domains.preset, name: username, whole } = splitLogin(given, domains);
    return { domain, username, whole };
  };
  const { schema } = config;
  return {
    find: async ({ username }) => {
      const named = { ...parse(username), schema, memberships, isService: true };
      try {
        return { user: await findUser(service, named) };
      } catch (error) {
        if (isReason(error, 'not_found')) return 'no such user';
        throw error;
      }
    },
    /** Counts an unknown user under one name, with the domain or without it. */
    decoy: ({ username }) => {
      const named = parse(username);
      return decoyUser(named.domain.base, named.username);
    },
    stillAdmits: async (user, username) => isAdmitted(user, { domain: parse(username).domain, memberships }),
  };
}
