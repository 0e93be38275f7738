/** The state of an installation, for commands and servers. It promises no stability: programs use `@watchword/engines`. */

export {
  challengeCertificate,
  isOrderDue,
  orderedCertificate,
  orderedCertificateFile,
} from './acme/acme-files.ts';
export { OrderError } from './acme/order-error.ts';
export {
  loadEngines,
  type OpenedEngines,
  type Opening,
  openDirectory,
  openEngines,
} from './engines.ts';
export {
  type AuthorityPlace,
  assertSameAuthority,
  checkNamedAuthority,
  ensureAuthority,
  readOwnAuthority,
} from './secrets/authority.ts';
export { ownCertificate, ownCertificateFile, type ServerTls, serverTls } from './secrets/certificates.ts';
export { licenseWarnings, openLicense } from './secrets/license.ts';
export { readNamed } from './secrets/pair-file.ts';
export { folderWarnings } from './senders.ts';
export { holdsState, openReadable } from './storage/kept.ts';
export type { ReadableEngines } from './storage/kept-engines.ts';
export { nameOfKept } from './storage/name.ts';
export { isShared, moveInto, notOpened, optionsOf, type SharedConfig } from './storage/shared-database.ts';
