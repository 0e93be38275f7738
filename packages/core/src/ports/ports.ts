/** The ports of a service as one record: whoever needs some of them takes those. */

import type { CertificateAuthority } from './authority.ts';
import type { Clock } from './clock.ts';
import type { DirectoryServer } from './directory/directory.ts';
import type { EventLog } from './event-log/event-log.ts';
import type { KeyRing } from './keys.ts';
import type { License } from './license.ts';
import type { Log } from './log/log.ts';
import type { Meter, Tracer } from './meter.ts';
import type { OpenIdEngine } from './openid.ts';
import type { Random } from './random.ts';
import type { Senders } from './sending/sender.ts';
import type { YubicoVerification } from './sending/yubico-verification.ts';
import type { CertificateRecords } from './store/certificate-records.ts';
import type { DataFolder } from './store/data-folder.ts';
import type { EntryRecords } from './store/entry-records.ts';
import type { Ledger } from './store/ledger.ts';
import type { SealedPlace } from './store/sealed-place.ts';
import type { Patience, Store } from './store/store.ts';
import type { System } from './system.ts';

/** The engines behind the core; each has a contract suite that any adapter passes. */
export interface Ports {
  readonly directory: DirectoryServer;
  /** What lasts, and the event log in one step with it. */
  readonly store: Ledger;
  /** What is only about the next seconds: shared by the processes of a machine, and lost with it. */
  readonly momentary: Store;
  readonly events: EventLog;
  /** The time that a request has for all of these; left out: each step has its own. */
  readonly patience?: Patience | undefined;
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
  /** The gateways of mail, SMS and push; left out: none. */
  readonly senders?: Senders | undefined;
  /** What the service runs in, for who looks at the nodes: `watchword-manager`; left out: a program of one's own. */
  readonly program?: string | undefined;
  /** The verification servers of Yubikeys, where the configuration has `yubico`; left out: there are none. */
  readonly yubico?: YubicoVerification | undefined;
  /** What speaks OpenID Connect, where the configuration has `openid_clients`; left out: nothing does. */
  readonly openid?: OpenIdEngine | undefined;
  /** Everything that `keys` has sealed, to be counted; left out: nobody can say where that is. */
  readonly sealed?: readonly SealedPlace[] | undefined;
  /** Where measurements go; left out: nowhere. */
  readonly meter?: Meter | undefined;
  /** Where spans go; left out: nowhere. */
  readonly tracer?: Tracer | undefined;
  /** What may be activated here; left out, there is no licence and nothing is limited. */
  readonly license?: License | undefined;
}

/** The ports of an installation: what the bundled servers hand to a service, and what their commands work on. */
export interface Engines extends Ports {
  /** What the data folder, or the database in its place, knows of itself. */
  readonly folder: DataFolder;
  readonly sealed: readonly SealedPlace[];
  /** Closes what the service does not: what store, event log and embedded directory are kept in. */
  close(): Promise<void>;
}

/** Name resolution, for host names in `manager_clients`. */
export interface Hosts {
  /** The addresses of a host; none if it is unknown or the resolver does not answer. */
  addresses(host: string): Promise<readonly string[]>;
}
