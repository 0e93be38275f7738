/** Watchword without a server: `createService`, its types, its errors. */
export type { Applications } from './application.ts';
export { bundled } from './applications.ts';
export { configJsonSchema, readConfig, readServiceConfig } from './bundled.ts';
export {
  type ApplicationWords,
  ConfigError,
  type ConfigProblem,
  type ServerConfig,
  type ServiceConfig,
  type ServiceConfigInput,
  type Vocabulary,
} from './config.ts';
export type { Origins } from './cross-site.ts';
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
export { Dn } from './directory/dn.ts';
export { and, equal, type Filter, formatFilter, not, or, parseFilter, present } from './directory/filter.ts';
export { type Mount, mountDirectories } from './directory/mounted.ts';
export type { Attributes, AttributeValue } from './directory/value.ts';
export type { Hosts, Ports } from './engines.ts';
export { errorTable, isReason, type Reason, reasons, ServiceError } from './errors.ts';
export { withHealth } from './health.ts';
export type { Handler, Peer, PeerCertificate, WebAnswer, WebRequest } from './http.ts';
export { License, type SignedLicense } from './license/license.ts';
export type { Credentials } from './manager/credentials.ts';
export { type ManagerAnswer, type ManagerRequest, sessionCookie } from './manager/exchange.ts';
export type { ManagerLogin } from './manager/in-process.ts';
export type { ManagerCalls } from './manager/methods.ts';
export { vocabularyOf } from './manager/vocabulary.ts';
export { fromBase32 } from './otp/base32.ts';
export { type TimeSource, totp } from './otp/totp.ts';
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
export type { Success } from './schema.ts';
export { createService, type Doors, type Service } from './service.ts';
export { StartError } from './start-error.ts';
export { version } from './version.ts';
export type { WebCalls } from './web/operations.ts';
