/** Contexts of a login, from narrow to wide: a function takes the narrowest that holds what it needs. */

import type { Caller } from '../administration/policy/caller.ts';
import type { ClientPolicies } from '../administration/policy/client-policies.ts';
import type { ServicePolicies } from '../administration/policy/service-policies.ts';
import type { CodeContext } from '../authenticators/authenticator.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { Domains } from '../directory/domain.ts';
import type { StoreBindings } from '../directory/store-binding/store-bindings.ts';
import type { LoginLayerView, ProfileContext } from '../directory/view.ts';
import type { RecordingPorts } from '../events/recorded.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Limits } from '../limits/limits.ts';
import type { ChannelView } from '../messaging/contact-channels.ts';
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
import type { FlagRow, MomentRow, Setting } from '../table/setting-row.ts';
import type { Demand } from './request.ts';
import { loginSettings } from './settings.ts';

/** A user, and what is in force for it. */
export interface AccountView extends ProfileContext {
  readonly clock: Clock;
}

/** Ports that find the user of a login. */
export interface FindingView extends AccountView, LoginLayerView, ChannelView {
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
  readonly outbox: Pick<Outbox, 'has' | 'prepare' | 'wake' | 'send'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeyRing;
  readonly names: Names;
  readonly config: Pick<ServiceConfig, 'schema' | 'messages' | 'texts' | 'default_language'>;
}

/** Parts of the service that judge a login once its user is known. */
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
  readonly storeBindings: Pick<StoreBindings, 'assure'>;
}

/** The caller of an operation, and the policies that hold for it. */
export interface ContextCall extends Pick<ProfileContext, 'names' | 'applications'> {
  readonly caller: Caller;
  readonly signal?: AbortSignal | undefined;
  readonly domains: Domains;
  readonly clients: Pick<ClientPolicies, 'find' | 'maySet'>;
  readonly services: Pick<ServicePolicies, 'find'>;
  /** The application of the operation, in our words: the login is that of its web service. */
  readonly application: ServingApplication;
}

/** A login as it comes in, counted and recorded. */
export interface LoginCall extends LoginView, ContextCall, RecordingPorts {
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
  readonly limits: Pick<Limits, 'admit' | 'commit' | 'leave'>;
  readonly certificates: Pick<CertificateRecords, 'find'>;
  readonly meter: Pick<Meter, 'count' | 'time'>;
  readonly tracer: Tracer;
  readonly transaction: Transaction;
  /** Its name as it is published here, for the log. */
  readonly operation: string;
}

/** Parts of the service that judge the certificate of a user. */
export interface UserCertificateView extends Pick<LoginView, 'directory' | 'config' | 'clock'> {
  readonly certificates: Pick<CertificateRecords, 'find'>;
}

/** A login with a certificate, whose user is answered as the dialect spells it. */
export interface CertificateCall extends LoginCall {
  readonly dialect: Pick<Dialect, 'answersCanonicalNames'>;
}

/** A page that logs people in. */
export interface LoginDoor {
  /** The client that the page is, for policies and in messages with codes. */
  readonly client: string;
  readonly application: ServingApplication;
  /** The name of the operation in the log. */
  readonly operation: string;
  readonly demand?: Demand | undefined;
}

/** The parts of a service that a login touches, without the call. */
export type PageLoginView = Omit<
  LoginCall,
  'caller' | 'application' | 'operation' | 'transaction' | 'signal'
>;

/** One request of a browser. */
export interface DoorRequest {
  readonly view: PageLoginView;
  /** The IP address of the browser. */
  readonly address: string;
  readonly transaction: Transaction;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the call of a login at a page. The page names its client policy and its own demand; it has no `settings` and no right to
 * choose another policy. The browser is the caller, also at the loopback address of a proxy that is not listed
 * (docs/concepts/callers-and-sources.md#pages-and-the-ldap-door).
 */
export function callAtPage({ client, application, operation }: LoginDoor, asked: DoorRequest): LoginCall {
  const { view, address, transaction, signal } = asked;
  return { ...view, application, operation, transaction, signal, caller: { address, client } };
}

/** Finds the application whose web service logs people in. @throws ServiceError `unavailable` where an installation has none */
export function loginApplication({ applications }: Pick<LoginCall, 'applications'>): ServingApplication {
  const application = Object.values(applications).find(({ service }) => service === 'otp');
  if (application) return application;
  throw new ServiceError('unavailable', { detail: 'there is no application Otp' });
}

/** Settings that say whether an application lets a user in, and when. */
export interface Gate {
  readonly isOpen: Setting<FlagRow>;
  readonly from: Setting<MomentRow>;
  readonly to: Setting<MomentRow>;
}

/** The gate of one-time passwords. */
export const loginGate: Gate = {
  isOpen: loginSettings.EnableLogin,
  from: loginSettings.ValidFrom,
  to: loginSettings.ValidTo,
};
