/** `@watchword/core/ports`: the interfaces that engines implement, and the types of their arguments. */

export type {
  CertificateAuthority,
  CertificateRequest,
  CertificateStatus,
  IssuedCertificate,
  IssueOptions,
  Revocation,
  RevocationList,
  SignatureForm,
  SignedCertificate,
  SignedContent,
  SigningOptions,
  SubjectField,
} from './authority.ts';
export type { Clock } from './clock.ts';
export type {
  AuthenticateOptions,
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
  EnforcedPasswordPolicy,
  Entry,
  PagesRequest,
  PasswordChange,
  PasswordPolicy,
  Rename,
  Requester,
  SchemaDefinitions,
  SearchRequest,
  SearchScope,
} from './directory/directory.ts';
export {
  type LdapClient,
  type LdapIdentity,
  type LdapResult,
  type LdapService,
  resultCodes,
} from './directory/served-directory.ts';
export {
  type ChainHead,
  type ChainPart,
  type ChainRecord,
  type Checkpoint,
  canonicalText,
  checkpointPurpose,
  exportLine,
  genesisHash,
  isCheckpointDue,
  linkRecord,
  type SignedCount,
  signLink,
  startChain,
} from './event-log/chain.ts';
export { type AgeClock, advanceAgeClock } from './event-log/event-age.ts';
export { eventEntryKey, eventIndexKey } from './event-log/event-keys.ts';
export {
  type AuditEvent,
  type EventLog,
  type EventQuery,
  type ExportRange,
  type LinkedRecord,
  maxRefusals,
  type PositionedEvent,
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
export { type ListenerCertificate, warningDaysOf } from './listener-certificate.ts';
export type { Log, LogFields } from './log/log.ts';
export { ThrottledWarning } from './log/throttled-warning.ts';
export { type Meter, type MetricKey, metrics } from './meter.ts';
export type { OpenIdClient, OpenIdEngine, OpenIdOptions, OpenIdServer, OpenIdState } from './openid.ts';
export type { Engines, HostResolver, Ports } from './ports.ts';
export { type Random, randomText, randomWord } from './random.ts';
export type { ConfigurationCaller, RuntimeConfiguration } from './runtime-configuration.ts';
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
export type { SealedCollection, SealedItem } from './store/sealed-collection.ts';
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
