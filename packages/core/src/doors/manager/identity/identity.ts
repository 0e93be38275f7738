/** Whom somebody claims to be, by whichever mode a door has administrators named (specification §5.1). */

import type { ManagerAuth, ServiceConfig } from '../../../config/config.ts';
import type { Domains } from '../../../directory/domain.ts';
import { isMachine, kindAttributes } from '../../../directory/entry/entry.ts';
import { decoyUser, findUser, isAdmitted, splitLogin } from '../../../directory/entry/user.ts';
import type { Memberships } from '../../../directory/groups/memberships.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import { type AdministratorCertificateView, byCertificate } from './certificate-identity.ts';
import type { Proof } from './credentials.ts';
import type { AdministratorDoor } from './door.ts';

export interface Identity {
  readonly user: Dn;
  /** Left out: true. A DN may be written that nobody has. */
  readonly isThere?: boolean;
  /** The certificate that names the user: its SHA-256, hexadecimal; left out: the login name does. */
  readonly fingerprint?: string | undefined;
}

/** A mode. Whether the password is the user's is not asked here. */
export interface Identities {
  /** A sentence, for operators: nobody, and why. */
  find(proof: Proof): Promise<Identity | string>;
  /** Stands for nobody: whose failures are counted then, and whose password is tried. */
  decoy(proof: Proof): Dn;
  /** A user that came by a login name may still come by it: the groups of a domain may have changed since. */
  stillAdmits(user: Dn, username: string): Promise<boolean>;
}

/** Where administrators are found. */
export interface IdentityView extends AdministratorCertificateView {
  readonly config: Pick<ServiceConfig, 'schema'>;
  readonly door: Pick<AdministratorDoor, 'auth'>;
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities'>;
  readonly domains: Domains;
  readonly memberships: Memberships;
}

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
    /** Who does not exist is counted under one name, too, with the domain or without it. */
    decoy: ({ username }) => {
      const named = parse(username);
      return decoyUser(named.domain.base, named.username);
    },
    stillAdmits: async (user, username) => isAdmitted(user, { domain: parse(username).domain, memberships }),
  };
}
