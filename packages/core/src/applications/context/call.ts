/**
 * The contexts that rows of the tables declare. A row names the parts that it needs, and a door calls it only if it has all of them; no
 * function takes the whole service.
 */

import type { EffectiveRights, MethodRights } from '../../administration/access/effective-rights.ts';
import type { MadeRoles } from '../../administration/access/made/made-roles.ts';
import type { RoleFacts } from '../../administration/access/role-facts.ts';
import type { KeyCounts } from '../../administration/key-rotation/census.ts';
import type { Caller } from '../../administration/policy/caller.ts';
import type { Policies } from '../../administration/policy/index.ts';
import type { Readiness } from '../../administration/status/readiness.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { AdministratorCheck } from '../../directory/data/floor.ts';
import type { GroupSettings } from '../../directory/data/group-settings.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { Domains } from '../../directory/domain.ts';
import type { Memberships } from '../../directory/groups/memberships.ts';
import type { StoreBindings } from '../../directory/store-binding/store-bindings.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Outbox } from '../../messaging/outbox.ts';
import type { Directory, DirectoryServer } from '../../ports/directory/directory.ts';
import type { Meter, Tracer } from '../../ports/meter.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Patience } from '../../ports/store/store.ts';
import type { Applications, RowContexts } from '../../table/application.ts';
import type { Dialect, Names } from '../../table/dialect.ts';
import type { KnownApplication, ServingApplication } from '../../table/known-application.ts';
import type { NamedRow, Transaction } from '../../table/method.ts';
import type { PhoneWaits } from './phone-waits.ts';

type ContextPorts =
  | 'store'
  | 'ephemeral'
  | 'events'
  | 'entryRecords'
  | 'authority'
  | 'certificates'
  | 'keys'
  | 'clock'
  | 'random'
  | 'log'
  | 'system'
  | 'license'
  | 'openid'
  | 'configuration';

/** The parts that are the same for every caller. */
export interface RowView
  extends Pick<Ports, ContextPorts>,
    Pick<Policies, 'clients' | 'services' | 'webapps'> {
  /** The time that one request has for all that it asks of store, event log and records. */
  readonly patience: Patience;
  /** Entries as the service sees them; in a call to the Manager, as its administrator does. */
  readonly directory: Directory;
  /** The server of the directory, which does not depend on the caller. */
  readonly server: DirectoryServer;
  readonly config: ServiceConfig;
  readonly dialect: Dialect;
  readonly names: Names;
  readonly domains: Domains;
  /** The name of this node in the network. */
  readonly host: string;
  /** The application defaults as the installation overrides them, in our words. */
  readonly presets: Settings;
  /** The check for administrators, whose settings no group takes below the presets. */
  readonly administrators: AdministratorCheck;
  /** The groups in which users count. */
  readonly memberships: Memberships;
  /** Whether any group carries some: else no login looks for groups. */
  readonly groupSettings: Pick<GroupSettings, 'maySome'>;
  /** The limits, which code that judges passwords or codes asks. */
  readonly limits: Limits;
  /** Requests that wait for what somebody does on a phone. */
  readonly phoneWaits: PhoneWaits;
  /** The meter of monitoring. */
  readonly meter: Pick<Meter, 'count' | 'time'>;
  /** The tracer. */
  readonly tracer: Tracer;
  /** The store binding of the directories. */
  readonly storeBindings: StoreBindings;
  /** The outbox of mail, SMS and push. */
  readonly outbox: Outbox;
  /** Counts the values under each key of the ring: a full pass, shared by concurrent callers. */
  readonly keyCounts: () => Promise<KeyCounts>;
  /** Returns which servers answer; shared by concurrent callers. */
  readonly readiness: () => Promise<Readiness>;
  readonly applications: Readonly<Record<string, KnownApplication>>;
  /** The rights that make an entry an administrator's, and what they are judged by. */
  readonly roles: RoleFacts;
  /** Roles that were made at run time. */
  readonly madeRoles: MadeRoles;
}

/** The context of a method: the directory is bound as its administrator. */
export interface Call extends RowView {
  readonly administrator: Dn;
  /** The administrator's effective rights, which the directory applies already. */
  readonly rights: EffectiveRights;
  /** Returns whether a secret is read: always for super administrators, else per method, as a role may call it and not read the secret. */
  readonly readsSecret: MethodRights['readsSecret'];
  readonly transaction: Transaction;
  /** Every method, also those that the administrator may not call. */
  readonly methods: readonly NamedRow[];
  /** The id of the session of the Admin Portal, or of a user's own page; undefined: the call comes by another door. */
  readonly session: string | undefined;
  /** Returns when the session of the Admin Portal began, in milliseconds since 1970; undefined for a call without one. */
  readonly sessionBegan: () => Promise<number | undefined>;
  /** Warnings about changes without effect, in sentences without a full stop, for a header of the answer. */
  readonly warnings: string[];
}

/** The context of an operation. */
export interface OperationCall extends RowView {
  readonly caller: Caller;
  readonly transaction: Transaction;
  /** The application of the operation, in our words. */
  readonly application: ServingApplication;
  /** Its name as it is published here, for the log. */
  readonly operation: string;
  /** Aborted when nobody waits for the answer any more: what has not begun then need not begin. */
  readonly signal?: AbortSignal | undefined;
}

/** The context that doors hand to rows of applications. */
export interface ServiceRowContexts extends RowContexts {
  readonly method: Call;
  readonly operation: OperationCall;
  readonly page: RowView;
}

/** Applications whose rows touch no more than they are handed. */
export type ServedApplications = Applications<ServiceRowContexts>;
