/** `@watchword/core`: Watchword without a server: `createService`, its types and errors, by default with the bundled applications. */

import type { ServedApplications } from './applications/context/call.ts';
import { bundled } from './applications/index.ts';
import {
  configJsonSchema as jsonSchemaOf,
  readServiceConfig as readServiceWith,
  readConfig as readWith,
  type ServerConfig,
  type ServiceConfig,
  type ServiceConfigInput,
} from './config/config.ts';
import type { SchemaNode } from './config/schema-node.ts';
import { vocabularyOf } from './doors/manager/vocabulary.ts';
import type { Ports } from './ports/ports.ts';
import { createService as createServiceOf, type Service } from './service.ts';

export { type SignedLicense, VerifiedLicense as License } from './administration/license/license.ts';
export type { ServedApplications as Applications } from './applications/context/call.ts';
export {
  type ApplicationWords,
  ConfigError,
  type ConfigProblem,
  type ServerConfig,
  type ServerConfigInput,
  type ServiceConfig,
  type ServiceConfigInput,
  serviceSettings,
  type Vocabulary,
} from './config/config.ts';
export { type Mount, mountDirectories } from './directory/mounted.ts';
export { withDescriptions, withManagerDescriptions } from './doors/describe/served.ts';
export type { Doors, ServerProgram } from './doors/doors.ts';
export { withHealth } from './doors/health/health.ts';
export type { Rehearsal, RehearsedStep } from './doors/manager/dry-run/rehearsal.ts';
export { type ManagerAnswer, type ManagerRequest, sessionCookie } from './doors/manager/exchange.ts';
export type { Credentials } from './doors/manager/identity/credentials.ts';
export type { ManagerLogin, RehearsedCalls } from './doors/manager/in-process.ts';
export type { ManagerCalls } from './doors/manager/methods.ts';
export { vocabularyOf } from './doors/manager/vocabulary.ts';
export type { WebCalls } from './doors/web/operations.ts';
export { errorTable, isReason, type Reason, reasons, ServiceError } from './foundation/errors/errors.ts';
export { StartError } from './foundation/errors/start-error.ts';
export type { Origins } from './foundation/http/cross-site.ts';
export { isDryRun } from './foundation/http/dry-run.ts';
export type {
  DirectHandler,
  Handler,
  HttpAnswer,
  Peer,
  PeerCertificate,
  WebAnswer,
  WebRequest,
} from './foundation/http/http.ts';
export { plainText } from './foundation/http/response.ts';
export { fromBase32 } from './foundation/oath/base32.ts';
export { type TimeSource, totp } from './foundation/oath/totp.ts';
export { type QrTextOptions, qrText } from './foundation/qr/text.ts';
export { Dn } from './foundation/text/dn.ts';
export { and, equal, type Filter, not, or, present } from './foundation/text/filter.ts';
export { formatFilter, parseFilter } from './foundation/text/filter-text.ts';
export type { Attributes, AttributeValue } from './foundation/text/value.ts';
export { version } from './foundation/version.ts';
export type { CertificateAuthority } from './ports/authority.ts';
export type { Clock } from './ports/clock.ts';
export type {
  Authentication,
  BindRefusal,
  BindResult,
  Capabilities,
  Change,
  ConnectionCounts,
  Directory,
  DirectoryServer,
  Entry,
  PagesRequest,
  Rename,
  Scope,
  SearchRequest,
} from './ports/directory/directory.ts';
export type { AuditEvent, EventLog } from './ports/event-log/event-log.ts';
export { KeyRing } from './ports/keys.ts';
export type { Log, LogFields } from './ports/log/log.ts';
export {
  type Meter,
  type MetricKey,
  type MetricLabels,
  type MetricPage,
  metrics,
  type SpanTerms,
  type Tracer,
  type TraceSpan,
} from './ports/meter.ts';
export type { Hosts, Ports } from './ports/ports.ts';
export type { Random } from './ports/random.ts';
export {
  type Attachment,
  type Delivery,
  DeliveryError,
  type Mail,
  type Push,
  type Sender,
  type Senders,
  type Sms,
} from './ports/sending/sender.ts';
export type { CertificateRecords } from './ports/store/certificate-records.ts';
export type { EntryRecords } from './ports/store/entry-records.ts';
export type {
  AdmitStep,
  Changes,
  CommitStep,
  EphemeralChanges,
  EphemeralState,
  KeptState,
  Ledger,
  NumberClaim,
  Release,
  State,
  TimedValue,
} from './ports/store/ledger.ts';
export type { SealedHolder, SealedPlace } from './ports/store/sealed-place.ts';
export type { CountStep, Store, StoredValue, ValueChange } from './ports/store/store.ts';
export type { System } from './ports/system.ts';
export { createCore, type Parts, type Service } from './service.ts';
export type { Success } from './table/schema/index.ts';
export { bundled };

/** @throws ConfigError with every problem found */
export function readServiceConfig(raw: unknown, vocabulary = vocabularyOf(bundled)): ServiceConfig {
  return readServiceWith(raw, vocabulary);
}

/** @throws ConfigError with every problem found */
export function readConfig(raw: unknown, vocabulary = vocabularyOf(bundled)): ServerConfig {
  return readWith(raw, vocabulary);
}

/** The JSON Schema (2020-12) of a server's configuration file, for editors and the reference. */
export function configJsonSchema(vocabulary = vocabularyOf(bundled)): SchemaNode {
  return jsonSchemaOf(vocabulary);
}

/**
 * Makes the service.
 * @param config the settings of `docs/reference/settings.md` that are not a server's
 * @param ports the engines; the service closes them
 * @param applications by their names, those of one's own among them; optional, default: the bundled ones
 * @throws ConfigError if the configuration is not one; StartError if the licence is another installation's, or if an
 * application does not fit with the others
 */
export function createService(config: ServiceConfigInput, ports: Ports): Service;
export function createService<const A extends ServedApplications>(
  config: ServiceConfigInput,
  ports: Ports,
  applications: A,
): Service<A>;
export function createService(
  config: ServiceConfigInput,
  ports: Ports,
  applications: ServedApplications = bundled,
): Service<ServedApplications> {
  return createServiceOf(config, ports, applications);
}
