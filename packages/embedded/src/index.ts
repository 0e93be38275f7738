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
export * from './keeping.ts';
export type { LdifSource } from './ldif/ldif.ts';
export type { ExportOptions } from './ldif/ldif-export.ts';
export type { ImportOptions } from './ldif/ldif-import.ts';
