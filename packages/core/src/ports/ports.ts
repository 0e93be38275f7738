import type { CertificateAuthority } from './authority.ts';
import type { Clock } from './clock.ts';
import type { DirectoryServer } from './directory/directory.ts';
import type { EventLog } from './event-log/event-log.ts';
import type { KeyRing } from './keys.ts';
import type { License } from './license.ts';
import type { ListenerCertificate } from './listener-certificate.ts';
import type { Log } from './log/log.ts';
import type { Meter, Tracer } from './meter.ts';
import type { OpenIdEngine } from './openid.ts';
import type { Random } from './random.ts';
import type { RuntimeConfiguration } from './runtime-configuration.ts';
import type { Senders } from './sending/sender.ts';
import type { YubicoVerification } from './sending/yubico-verification.ts';
import type { CertificateRecords } from './store/certificate-records.ts';
import type { DataFolder } from './store/data-folder.ts';
import type { EntryRecords } from './store/entry-records.ts';
import type { Ledger } from './store/ledger.ts';
import type { SealedCollection } from './store/sealed-collection.ts';
import type { Patience, Store } from './store/store.ts';
import type { System } from './system.ts';

/**
 * The ports of a service. `@watchword/engines` opens an engine for each; a program may put one of its own over it.
 * @see docs/concepts/stores-and-nodes.md#engines
 * @example
 * ```ts
 * import { createService, type Ports } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 * import { createLog } from '@watchword/node';
 *
 * const base = 'dc=example,dc=org';
 * const engines = await openEmbedded('./data', { base });
 * const ports: Ports = { ...engines, log: createLog({ level: 'error', format: 'json' }, process.stderr) };
 * const service = createService({ domains: { Default: { base } } }, ports);
 * await service.close();
 * await engines.close();
 * ```
 */
export interface Ports {
  readonly directory: DirectoryServer;
  /** The durable store, which commits events with values. */
  readonly store: Ledger;
  /** The ephemeral store, shared by the processes of a machine. */
  readonly ephemeral: Store;
  readonly events: EventLog;
  /** The time that a request has for all stores; left out where each step has its own. */
  readonly patience?: Patience | undefined;
  /** Settings and data of users in a directory without the schema extension. */
  readonly entryRecords: EntryRecords;
  readonly authority: CertificateAuthority;
  /** The certificates that the authority has issued. */
  readonly certificates: CertificateRecords;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly hosts: HostResolver;
  readonly system: System;
  /** The certificates that the listeners of this process present; left out: unknown. */
  readonly listenerCertificates?: (() => readonly ListenerCertificate[]) | undefined;
  /** The gateways of mail, SMS and push. */
  readonly senders?: Senders | undefined;
  /** The name of the program in the list of nodes, such as `watchword-manager`. */
  readonly program?: string | undefined;
  /** The verification servers of Yubikeys, where the configuration has `yubico`. */
  readonly yubico?: YubicoVerification | undefined;
  /** The engine of OpenID Connect, where the configuration has `openid_clients`. */
  readonly openid?: OpenIdEngine | undefined;
  /** The layers of the configuration, which administrators change at run time; left out: they change nothing. */
  readonly configuration?: RuntimeConfiguration | undefined;
  /** Values that `keys` has sealed, to count them; left out where they are unknown. */
  readonly sealed?: readonly SealedCollection[] | undefined;
  readonly meter?: Meter | undefined;
  readonly tracer?: Tracer | undefined;
  /** The licence; unlimited if left out. */
  readonly license?: License | undefined;
}

/** The ports of an installation, for the bundled servers and their commands. */
export interface Engines extends Ports {
  /** The state of the data folder, or of the database in its place. */
  readonly folder: DataFolder;
  readonly sealed: readonly SealedCollection[];
  /** Closes the databases, which the service does not close. */
  close(): Promise<void>;
}

/**
 * The port of name resolution, for host names in `manager_clients`.
 * @see docs/concepts/callers-and-sources.md#administrators
 * @example
 * ```ts
 * import { lookup } from 'node:dns/promises';
 * import type { HostResolver } from '@watchword/core';
 *
 * export const hosts: HostResolver = {
 *   addresses: (host) =>
 *     lookup(host, { all: true }).then(
 *       (found) => found.map(({ address }) => address),
 *       () => [],
 *     ),
 * };
 * ```
 */
export interface HostResolver {
  /** Resolves a host; no address if it is unknown or the resolver does not answer. */
  addresses(host: string): Promise<readonly string[]>;
}
