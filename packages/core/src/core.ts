/** What every domain of the core shares: the configuration, the directory, and the ports. Made by service.ts. */
import type { Roles } from './access/roles.ts';
import type { Applications } from './application.ts';
import type { ServiceConfig } from './config.ts';
import type { Dialect, Names } from './dialect.ts';
import type { DirectoryServer } from './directory/directory.ts';
import type { Domains } from './directory/domain.ts';
import type { Settings } from './directory/settings.ts';
import type { License } from './license/license.ts';
import type { Limits } from './limits/limits.ts';
import type { StoreMark } from './mark/store-mark.ts';
import type { Policies } from './policy/index.ts';
import type { CertificateAuthority } from './ports/authority.ts';
import type { CertificateRecords } from './ports/certificate-records.ts';
import type { Clock } from './ports/clock.ts';
import type { EntryRecords } from './ports/entry-records.ts';
import type { KeyRing } from './ports/keys.ts';
import type { Log } from './ports/log.ts';
import type { Random } from './ports/random.ts';
import type { EventLog } from './ports/records.ts';
import type { SealedPlace } from './ports/sealed-place.ts';
import type { Store } from './ports/store.ts';
import type { System } from './ports/system.ts';
import type { KeyCounts } from './rekey/census.ts';
import type { Readiness } from './status/probes.ts';

/** The engines behind the core; each has a contract suite that any adapter passes. */
export interface Ports {
  readonly directory: DirectoryServer;
  readonly store: Store;
  /** What is only about the next seconds: shared by the processes of a machine, and lost with it. */
  readonly momentary: Store;
  readonly events: EventLog;
  /** Settings and data of users whose directory has no attributes for them. */
  readonly entryRecords: EntryRecords;
  readonly authority: CertificateAuthority;
  /** What the authority has issued. */
  readonly certificates: CertificateRecords;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly hosts: Hosts;
  readonly system: System;
  /** Everything that `keys` has sealed, to be counted; left out: nobody can say where that is. */
  readonly sealed?: readonly SealedPlace[] | undefined;
  /** What may be activated here; left out, there is no licence and nothing is limited. */
  readonly license?: License | undefined;
}

/** Name resolution, for host names in `manager_clients`. */
export interface Hosts {
  /** The addresses of a host; none if it is unknown or the resolver does not answer. */
  addresses(host: string): Promise<readonly string[]>;
}

export interface Core<A extends Applications = Applications> extends Ports, Policies {
  readonly config: ServiceConfig;
  readonly dialect: Dialect;
  readonly names: Names;
  readonly domains: Domains;
  /** The name of this node in the network. */
  readonly host: string;
  /** The application defaults as the installation overrides them, in our words. */
  readonly presets: Settings;
  /** Who administers what. */
  readonly roles: Roles;
  /** Who may guess, and how often: whoever judges passwords or codes asks here. */
  readonly limits: Limits;
  /** Whether the store is the one that the directories know. */
  readonly mark: StoreMark;
  /** How many values each key of the ring still holds. Everything is gone through, once for all who ask together. */
  readonly keyCounts: () => Promise<KeyCounts>;
  /** Which of the servers behind this one answer. Asked once for all who ask together. */
  readonly readiness: () => Promise<Readiness>;
  readonly applications: A;
}
