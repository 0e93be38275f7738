/**
 * The embedded engine: directory, store, event log and entry records in one LMDB environment. Each is opened on its own, so a
 * server in front of OpenLDAP has its sessions and events here and no directory.
 */
export { openCertificateRecords } from './certificate-records.ts';
export { assertSound, holdsDatabase } from './database-file.ts';
export {
  type DirectoryOptions,
  type DirectoryPorts,
  EmbeddedDirectory,
  isBaseName,
  openDirectory,
} from './directory.ts';
export { openEntryRecords } from './entry-records.ts';
export { Environment, openEnvironment } from './environment.ts';
export { openEventLog } from './event-log.ts';
export { type DataFolder, dataFolder, type FolderState, markCopy, type Restoring } from './folder-state.ts';
export type { LdifSource } from './ldif.ts';
export type { ExportOptions } from './ldif-export.ts';
export type { ImportOptions } from './ldif-import.ts';
export { mostMomentary, openMomentary } from './momentary.ts';
export { openStore } from './store.ts';
