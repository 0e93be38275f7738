/**
 * The embedded engine: directory, store, event log and records in one LMDB environment. Each is opened on its own: a server in front of
 * OpenLDAP opens no directory.
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
export * from './storage.ts';
