/** Watchword without a server: `createService`, its types, its errors. */

export { bundled } from './applications.ts';
export { configJsonSchema, createService, readConfig, readServiceConfig } from './bundled.ts';
export type { ServedApplications as Applications } from './calls/call.ts';
export {
  type ApplicationWords,
  ConfigError,
  type ConfigProblem,
  type ServerConfig,
  type ServiceConfig,
  type ServiceConfigInput,
  type Vocabulary,
} from './config/config.ts';
export type {
  Authentication,
  BindRefusal,
  BindResult,
  Capabilities,
  Change,
  Directory,
  DirectoryServer,
  Entry,
  PagesRequest,
  Rename,
  Scope,
  SearchRequest,
} from './directory/directory.ts';
export { type Mount, mountDirectories } from './directory/mounted.ts';
export type { Hosts, Ports } from './engines.ts';
export { errorTable, isReason, type Reason, reasons, ServiceError } from './errors/errors.ts';
export { StartError } from './errors/start-error.ts';
export { withHealth } from './health.ts';
export type { Origins } from './http/cross-site.ts';
export type { Handler, Peer, PeerCertificate, WebAnswer, WebRequest } from './http/http.ts';
export { License, type SignedLicense } from './license/license.ts';
export { type ManagerAnswer, type ManagerRequest, sessionCookie } from './manager/exchange.ts';
export type { Credentials } from './manager/identity/credentials.ts';
export type { ManagerLogin } from './manager/in-process.ts';
export type { ManagerCalls } from './manager/methods.ts';
export { vocabularyOf } from './manager/vocabulary.ts';
export { fromBase32 } from './oath/base32.ts';
export { type TimeSource, totp } from './oath/totp.ts';
export type { CertificateAuthority } from './ports/authority.ts';
export type { CertificateRecords } from './ports/certificate-records.ts';
export type { Clock } from './ports/clock.ts';
export type { EntryRecords } from './ports/entry-records.ts';
export { KeyRing } from './ports/keys.ts';
export type { Log, LogFields } from './ports/log.ts';
export type { Random } from './ports/random.ts';
export type { AuditEvent, EventLog } from './ports/records.ts';
export type { SealedHolder, SealedPlace } from './ports/sealed-place.ts';
export type { CountStep, Store, StoredValue, ValueChange } from './ports/store.ts';
export type { System } from './ports/system.ts';
export { type QrTextOptions, qrText } from './qr/text.ts';
export type { Doors, Service } from './service.ts';
export type { Success } from './table/schema/index.ts';
export { Dn } from './text/dn.ts';
export { and, equal, type Filter, formatFilter, not, or, parseFilter, present } from './text/filter.ts';
export type { Attributes, AttributeValue } from './text/value.ts';
export { version } from './version.ts';
export type { WebCalls } from './web/operations.ts';
