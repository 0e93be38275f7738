/** `@watchword/core/ports`: the interfaces that engines implement, and the types of their arguments. */

export type {
  CertificateAuthority,
  CertificateRequest,
  CertificateStatus,
  IssuedCertificate,
  Revocation,
  SignatureForm,
  SignedCertificate,
  SignedContent,
  SignedList,
  SigningOrder,
  SubjectField,
  Terms,
} from './authority.ts';
export type { Clock } from './clock.ts';
export type {
  Authentication,
  BindRefusal,
  BindResult,
  Capabilities,
  Change,
  ChildrenPage,
  ChildrenRequest,
  ConnectionCounts,
  Directory,
  DirectoryServer,
  Entry,
  JudgedPolicy,
  Judging,
  PagesRequest,
  PasswordChange,
  PasswordPolicy,
  Rename,
  Requester,
  SchemaDefinitions,
  Scope,
  SearchRequest,
} from './directory/directory.ts';
export {
  type LdapClient,
  type LdapIdentity,
  type LdapResult,
  type LdapService,
  resultCodes,
} from './directory/served-directory.ts';
export {
  type ChainPart,
  type ChainRecord,
  type Checkpoint,
  type Head,
  isDue,
  lineOf,
  link,
  newChain,
  noHash,
  type SignedCount,
  sealLink,
  signing,
  textOf,
} from './event-log/chain.ts';
export { type AgeClock, advanced } from './event-log/event-age.ts';
export { entryOf, indexKey } from './event-log/event-keys.ts';
export {
  type AuditEvent,
  type EventLog,
  type EventQuery,
  type ExportSpan,
  type LinkedRecord,
  maxRefusals,
  type PlacedEvent,
  printable,
} from './event-log/event-log.ts';
export {
  applicationRefusalsKey,
  isOverRefusalLimit,
  isRepeatedRefusal,
  mergeRefusal,
  overflowEvent,
  refusalLookback,
  sameRefusalKey,
} from './event-log/refusals.ts';
export { ChainFault, ChainVerifier, type Verified } from './event-log/verification.ts';
export { KeyRing } from './keys.ts';
export type { License } from './license.ts';
export type { Log, LogFields } from './log/log.ts';
export { ThrottledWarning } from './log/throttled-warning.ts';
export { type Meter, type MetricKey, metrics } from './meter.ts';
export type { OpenIdApplication, OpenIdEngine, OpenIdOptions, OpenIdServer, OpenIdState } from './openid.ts';
export type { Engines, Hosts, Ports } from './ports.ts';
export { type Random, randomText, randomWord } from './random.ts';
export {
  type Delivery,
  DeliveryError,
  type Mail,
  type Push,
  type Sender,
  type Senders,
  type Sms,
} from './sending/sender.ts';
export type { YubicoVerdict, YubicoVerification } from './sending/yubico-verification.ts';
export type {
  CertificateRecord,
  CertificateRecords,
  KnownRevocation,
  OwnerKey,
} from './store/certificate-records.ts';
export type { DataFolder, FolderState } from './store/data-folder.ts';
export type { EntryRecords } from './store/entry-records.ts';
export { Leases } from './store/lease.ts';
export type {
  AdmitStep,
  CommitChanges,
  CommitStep,
  EphemeralChanges,
  EphemeralStepState,
  Ledger,
  LockRelease,
  StepState,
  TimedValue,
} from './store/ledger.ts';
export { releasedValues } from './store/release.ts';
export type { SealedHolder, SealedPlace } from './store/sealed-place.ts';
export {
  type CountStep,
  noVersion,
  OtherVersion,
  type Patience,
  type Store,
  type StoredValue,
  type Update,
  type ValueChange,
  versionIn,
  versionKey,
} from './store/store.ts';
export type { ImportCounts, StoreContents } from './store/store-contents.ts';
export type { System } from './system.ts';
