/** What the embedded engine keeps besides a directory: for servers in front of OpenLDAP, which load no more of it. */
export { openCertificateRecords } from './records/certificate-records.ts';
export { openEntryRecords } from './records/entry-records.ts';
export { openEventLog } from './records/event-log.ts';
export { everythingKept } from './records/everything.ts';
export { openLedger } from './records/ledger.ts';
export { dropEnds } from './records/live-records.ts';
export { mostMomentary, openMomentary } from './records/momentary.ts';
export { openStore } from './records/store.ts';
export { assertSound, holdsDatabase } from './storage/database-file.ts';
export { markCopy } from './storage/entrance/mark-copy.ts';
export { openEnvironment } from './storage/entrance/open-environment.ts';
export { Environment } from './storage/environment.ts';
export { dataFolder } from './storage/folder-state.ts';
