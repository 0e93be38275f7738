/** What a login may touch, from little to much: a function takes the narrowest of these that holds what it needs. */

import type { Caller } from '../administration/policy/caller.ts';
import type { ClientPolicies } from '../administration/policy/client-policies.ts';
import type { ServicePolicies } from '../administration/policy/service-policies.ts';
import type { CodeContext } from '../authenticators/authenticator.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { Domains } from '../directory/domain.ts';
import type { StoreMark } from '../directory/store-binding/store-mark.ts';
import type { HolderView, LoginLayerView } from '../directory/view.ts';
import type { RecordingPorts } from '../events/recorded.ts';
import type { Limits } from '../limits/limits.ts';
import type { Outbox } from '../messaging/outbox.ts';
import type { Clock } from '../ports/clock.ts';
import type { DirectoryServer } from '../ports/directory/directory.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { Log } from '../ports/log/log.ts';
import type { Meter, Tracer } from '../ports/meter.ts';
import type { Random } from '../ports/random.ts';
import type { CertificateRecords } from '../ports/store/certificate-records.ts';
import type { Store } from '../ports/store/store.ts';
import type { Dialect, Names } from '../table/dialect.ts';
import type { ServingApplication } from '../table/known-application.ts';
import type { Transaction } from '../table/method.ts';

/** A user, and what is in force for it. */
export interface AccountView extends HolderView {
  readonly clock: Clock;
}

/** Where codes can be sent to. */
export interface ReachView {
  readonly outbox: Pick<Outbox, 'has'>;
  readonly config: Pick<ServiceConfig, 'schema' | 'messages'>;
}

/** Who wants to log in, for the groups of whom nothing is searched that nobody asks for. */
export interface FindingView extends AccountView, LoginLayerView, ReachView {
  readonly config: Pick<ServiceConfig, 'schema' | 'messages'>;
  readonly keys: KeyRing;
  readonly server: AccountView['server'];
}

/** Challenges that wait for a code. */
export interface ChallengeView {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly config: Pick<ServiceConfig, 'limits'>;
}

/** Codes that are made and sent. */
export interface CodeSendingView {
  readonly outbox: Pick<Outbox, 'has' | 'prepare' | 'notice' | 'post'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeyRing;
  readonly names: Names;
  readonly config: Pick<ServiceConfig, 'schema' | 'messages' | 'texts' | 'default_language'>;
}

/** What a login is judged with, once it is known whose it is. */
export interface LoginView extends FindingView, CodeContext, ChallengeView, CodeSendingView {
  readonly outbox: CodeSendingView['outbox'];
  readonly config: Pick<
    ServiceConfig,
    'schema' | 'stores' | 'limits' | 'messages' | 'texts' | 'default_language' | 'relying_party'
  >;
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
  /** Whose operation asks, in our words: the login is that of its web service. */
  readonly application: ServingApplication;
}

/** A login as it comes in, counted and recorded. */
export interface LoginCall extends LoginView, VisitCall, RecordingPorts {
  readonly config: Pick<
    ServiceConfig,
    | 'schema'
    | 'stores'
    | 'limits'
    | 'log_unknown_names'
    | 'messages'
    | 'texts'
    | 'default_language'
    | 'relying_party'
  >;
  readonly domains: Domains;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'enter'>;
  readonly certificates: Pick<CertificateRecords, 'find'>;
  readonly meter: Pick<Meter, 'count' | 'time'>;
  readonly tracer: Tracer;
  readonly transaction: Transaction;
  /** Its name as it is published here, for the log. */
  readonly operation: string;
}

/** What a user has, and what blocks it. */
export interface BlockView extends AccountView {
  readonly keys: KeyRing;
  readonly limits: Limits;
}

/** What the certificate of a user is judged with. */
export interface UserCertificateView extends Pick<LoginView, 'directory' | 'config' | 'clock'> {
  readonly certificates: Pick<CertificateRecords, 'find'>;
}

/** A login with a certificate, whose user is answered as the dialect spells it. */
export interface CertificateCall extends LoginCall {
  readonly dialect: Pick<Dialect, 'answersOurs'>;
}
