/**
 * What the work on codes, tokens and logins may touch, from little to much: a function takes the narrowest of these
 * that holds what it needs.
 */
import type { ServiceConfig } from '../config/config.ts';
import type { DirectoryServer } from '../directory/directory.ts';
import type { Domains } from '../directory/domain.ts';
import type { TrialView } from '../directory/entry/judged.ts';
import type { HolderView, StoredDataView } from '../directory/view.ts';
import type { RecordingPorts } from '../events/recorded.ts';
import type { Limits } from '../limits/limits.ts';
import type { StoreMark } from '../mark/store-mark.ts';
import type { Caller } from '../policy/caller.ts';
import type { ClientPolicies } from '../policy/client-policies.ts';
import type { ServicePolicies } from '../policy/service-policies.ts';
import type { Clock } from '../ports/clock.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { Store } from '../ports/store.ts';
import type { Names } from '../table/dialect.ts';
import type { Transaction } from '../table/method.ts';

/** What is claimed and remembered in the store, under keys of the ring. */
export interface Claims {
  readonly store: Store;
  readonly keys: KeyRing;
}

/** The same, at some moment. */
export interface TimedClaims extends Claims {
  readonly clock: Clock;
}

/** The state of codes, taken forward on the entry; where it cannot be, the log tells whose it is. */
export interface StateView extends StoredDataView {
  readonly config: Pick<ServiceConfig, 'schema' | 'stores'>;
  readonly server: Pick<DirectoryServer, 'capabilities'>;
  readonly domains: Pick<Domains, 'containing'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/** Codes of a user, judged and used up, if the store is the one that the directories know. */
export interface CodeView extends StateView, TimedClaims {
  readonly keys: KeyRing;
  readonly mark: Pick<StoreMark, 'assure'>;
}

/** Tokens on their way to an entry. */
export interface RegistrationView extends HolderView, TimedClaims {
  readonly keys: KeyRing;
  readonly limits: Pick<Limits, 'forgetCodes'>;
}

/** Tokens on an entry, as an administrator changes them and tries their codes. */
export interface TokenView extends RegistrationView, TrialView {
  readonly config: Pick<ServiceConfig, 'schema' | 'limits'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'attempt' | 'forgetCodes' | 'wrongCodes'>;
}

/** A user, and what is in force for it. */
export interface AccountView extends HolderView {
  readonly clock: Clock;
}

/** Challenges that wait for a code. */
export interface ChallengeView {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly config: Pick<ServiceConfig, 'limits'>;
}

/** What a login is judged with, once it is known whose it is. */
export interface LoginView extends AccountView, CodeView, ChallengeView {
  readonly config: Pick<ServiceConfig, 'schema' | 'stores' | 'limits'>;
  readonly domains: Pick<Domains, 'bases' | 'containing'>;
  readonly keys: KeyRing;
  readonly log: Log;
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service' | 'authenticate'>;
  readonly mark: Pick<StoreMark, 'assure'>;
}

/** Who calls, and what holds for calls of theirs. */
export interface VisitCall extends Pick<HolderView, 'names' | 'applications'> {
  readonly caller: Caller;
  readonly gone?: AbortSignal | undefined;
  readonly domains: Domains;
  readonly clients: Pick<ClientPolicies, 'find' | 'maySet'>;
  readonly services: Pick<ServicePolicies, 'find'>;
}

/** A login as it comes in, counted and recorded. */
export interface LoginCall extends LoginView, VisitCall, RecordingPorts {
  readonly config: Pick<ServiceConfig, 'schema' | 'stores' | 'limits' | 'log_unknown_names'>;
  readonly domains: Domains;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'attempt'>;
  readonly transaction: Transaction;
  /** Its name as it is published here, for the log. */
  readonly operation: string;
}

/** Users found by a login name. */
export interface NamedView extends HolderView {
  readonly domains: Domains;
}

/** Where apps and phones reach this installation. */
export interface Addresses {
  readonly names: Names;
  readonly config: Pick<ServiceConfig, 'ws_url' | 'manager_url'>;
}

/** URIs of tokens, by the settings of the user whom they name. */
export interface UriView extends NamedView, TimedClaims, Addresses {
  readonly names: Names;
  readonly keys: KeyRing;
  readonly config: Pick<ServiceConfig, 'schema' | 'ws_url' | 'manager_url'>;
}

/** What a user has, and what blocks it. */
export interface BlockView extends AccountView {
  readonly keys: KeyRing;
  readonly limits: Limits;
}

/** Prefixes of codes, made up where none is wanted. */
export interface PrefixView extends HolderView {
  readonly random: Random;
}
