/**
 * The embedded engine: directory, store, event log and entry records in one LMDB environment. Each is opened on its own, so a
 * server in front of OpenLDAP has its sessions and events here and no directory.
 */

export {
  type DirectoryOptions,
  type DirectoryPorts,
  EmbeddedDirectory,
  isBaseName,
  openDirectory,
} from './directory.ts';
export type { LdifSource } from './ldif/ldif.ts';
export type { ExportOptions } from './ldif/ldif-export.ts';
export type { ImportOptions } from './ldif/ldif-import.ts';
export { openCertificateRecords } from './records/certificate-records.ts';
export { openEntryRecords } from './records/entry-records.ts';
export { openEventLog } from './records/event-log.ts';
export { openLedger } from './records/ledger.ts';
export { mostMomentary, openMomentary } from './records/momentary.ts';

export { openStore } from './records/store.ts';
export { assertSound, holdsDatabase } from './storage/database-file.ts';
export { Environment, openEnvironment } from './storage/environment.ts';
export {
  type DataFolder,
  dataFolder,
  type FolderState,
  markCopy,
  type Restoring,
} from './storage/folder-state.ts';
