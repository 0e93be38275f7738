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
  type ApplicationVocabulary,
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
export type { DryRunResult, DryRunStep } from './doors/manager/dry-run/dry-run.ts';
export { type ManagerRequest, type ManagerResponse, sessionCookie } from './doors/manager/exchange.ts';
export type { Credentials } from './doors/manager/identity/credentials.ts';
export type { DryRunCalls, ManagerLogin } from './doors/manager/in-process.ts';
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
  HttpResponse,
  Peer,
  PeerCertificate,
  WebRequest,
  WebResponse,
} from './foundation/http/http.ts';
export { plainText } from './foundation/http/response.ts';
export { fromBase32 } from './foundation/oath/base32.ts';
export { type TotpParameters, totp } from './foundation/oath/totp.ts';
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
  SearchRequest,
  SearchScope,
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
  type SpanOptions,
  type Tracer,
  type TraceSpan,
} from './ports/meter.ts';
export type { HostResolver, Ports } from './ports/ports.ts';
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
  CommitChanges,
  CommitStep,
  EphemeralChanges,
  EphemeralStepState,
  KeyState,
  Ledger,
  LockRelease,
  NumberClaim,
  StepState,
  TimedValue,
} from './ports/store/ledger.ts';
export type { SealedCollection, SealedItem } from './ports/store/sealed-collection.ts';
export type { CountStep, Store, StoredValue, ValueChange } from './ports/store/store.ts';
export type { System } from './ports/system.ts';
export { type Core, createCore, type Service } from './service.ts';
export type { Success } from './table/schema/index.ts';
export { bundled };

/**
 * Reads the configuration of a service without servers, and fills in the defaults.
 * @param raw an object with the settings that `createService` takes
 * @param vocabulary the words of the applications; left out: those of the bundled ones
 * @returns the configuration
 * @throws ConfigError with every problem and its cure
 * @see docs/concepts/policies-and-settings.md#installation-settings
 * @example
 * ```ts
 * import { ConfigError, readServiceConfig } from '@watchword/core';
 *
 * try {
 *   readServiceConfig({ domains: { Default: { base: 'no DN' } } });
 * } catch (error) {
 *   console.log(error instanceof ConfigError && error.problems.length); // 1
 * }
 * ```
 */
export function readServiceConfig(raw: unknown, vocabulary = vocabularyOf(bundled)): ServiceConfig {
  return readServiceWith(raw, vocabulary);
}

/**
 * Reads the configuration of the servers, and fills in the defaults.
 * @param raw the parsed YAML or JSON: an object with the settings of `docs/reference/settings.md`
 * @param vocabulary the words of the applications; optional, default: the bundled ones
 * @returns the configuration, with paths as they are written
 * @throws ConfigError with every problem and its cure
 * @see docs/concepts/policies-and-settings.md#installation-settings
 * @example
 * ```ts
 * import { readConfig } from '@watchword/core';
 *
 * const base = 'dc=example,dc=org';
 * const config = readConfig({
 *   data: './data',
 *   directory: { type: 'embedded', base },
 *   domains: { Default: { base } },
 * });
 * console.log(config.keys_file); // ./data/keys
 * ```
 */
export function readConfig(raw: unknown, vocabulary = vocabularyOf(bundled)): ServerConfig {
  return readWith(raw, vocabulary);
}

/**
 * Returns the JSON Schema (2020-12) of a server's configuration file, for editors and the reference.
 * @param vocabulary the words of the applications; left out: those of the bundled ones
 * @returns the schema, an object to be written as JSON
 * @see docs/concepts/policies-and-settings.md#installation-settings
 * @example
 * ```ts
 * import { configJsonSchema } from '@watchword/core';
 *
 * const { properties = {} } = configJsonSchema();
 * console.log('domains' in properties); // true
 * ```
 */
export function configJsonSchema(vocabulary = vocabularyOf(bundled)): SchemaNode {
  return jsonSchemaOf(vocabulary);
}

/**
 * Makes a service: logins, the Manager and its pages, without a server.
 * @param config the settings of `docs/reference/settings.md` that are not a server's
 * @param ports the engines; `close` of the service closes them, but not the database below them
 * @param applications by their names, those of the program among them; left out: the bundled ones
 * @returns the service, which runs until its `close`
 * @throws ConfigError with every problem of the configuration
 * @throws StartError if the licence is another installation's, or an application does not fit with the others
 * @see docs/concepts/stores-and-nodes.md#engines
 * @example
 * ```ts
 * import { createService } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 *
 * const base = 'dc=example,dc=org';
 * const engines = await openEmbedded('./data', { base });
 * const service = createService({ domains: { Default: { base } } }, engines);
 * const answer = await service.web.otp.normalLogin({ username: 'alice', ldapPassword: 'a password' });
 * console.log(answer.code); // 0
 * await service.close();
 * await engines.close();
 * ```
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
