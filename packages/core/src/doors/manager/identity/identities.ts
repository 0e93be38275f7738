/** Finds the administrator whom a login names, in each authentication mode. */
import type { ServiceConfig } from '../../../config/config.ts';
import type { Domains } from '../../../directory/domain.ts';
import type { Memberships } from '../../../directory/groups/memberships.ts';
import type { EntryView } from '../../../directory/view.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { CertificateAuthority } from '../../../ports/authority.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import type { CertificateRecords } from '../../../ports/store/certificate-records.ts';
import type { PresentedCredentials } from './credentials.ts';
import type { AdministratorDoor } from './door.ts';

export interface Identity {
  readonly user: Dn;
  /** Left out: true. A DN may be written that nobody has. */
  readonly isThere?: boolean;
  /** The certificate that names the user: its SHA-256, hexadecimal. Optional; default: the login name. */
  readonly fingerprint?: string | undefined;
}

/** A mode. Whether the password is the user's is not asked here. */
export interface Identities {
  /** A sentence, for operators: nobody, and why. */
  find(proof: PresentedCredentials): Promise<Identity | string>;
  /** Returns the decoy of a name without a user: its failures are counted, and its password is tried. */
  decoy(proof: PresentedCredentials): Dn;
  /** A user that came by a login name may still come by it: the groups of a domain may have changed since. */
  stillAdmits(user: Dn, username: string): Promise<boolean>;
}

/** Ports with which administrators are found. */
export interface IdentityView extends AdministratorCertificateView {
  readonly config: Pick<ServiceConfig, 'schema'>;
  readonly door: Pick<AdministratorDoor, 'auth'>;
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities'>;
  readonly domains: Domains;
  readonly memberships: Memberships;
}

/** Ports with which certificates of administrators are judged. */
export interface AdministratorCertificateView extends Omit<EntryView, 'config'> {
  readonly authority: CertificateAuthority;
  readonly certificates: CertificateRecords;
  readonly clock: Clock;
}
