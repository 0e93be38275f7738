/** The embedded engine without its directory, for servers in front of OpenLDAP. */
export { openCertificateRecords } from './records/certificate-records.ts';
export { readContents } from './records/contents.ts';
export { openEntryRecords } from './records/entry-records.ts';
export { maxEphemeralRecords, openEphemeral } from './records/ephemeral.ts';
export { openEventLog } from './records/event-log.ts';
export { openLedger } from './records/ledger.ts';
export { openPatience } from './records/patience.ts';
export { openStore } from './records/store.ts';
export { dropEnds } from './records/timed-records.ts';
export { assertSound, holdsDatabase } from './storage/database-file.ts';
export { Environment } from './storage/environment.ts';
export { dataFolder } from './storage/folder-state.ts';
export { markCopy } from './storage/open-barrier/mark-copy.ts';
export { openEnvironment } from './storage/open-barrier/open-environment.ts';
