/** The PostgreSQL engine, for installations on several machines: store, ledger, event log and records are tables of one database. */
export { Database } from './connection/database.ts';
export { mayPass } from './connection/faults.ts';
export type { PostgresHost, PostgresOptions } from './connection/options.ts';
export { openCertificateRecords } from './records/certificate-records.ts';
export { openEntryRecords } from './records/entry-records.ts';
export { openEventLog } from './records/event-log.ts';
export { importContents } from './records/import-contents.ts';
export { openLedger } from './records/ledger.ts';
export { openState } from './records/state.ts';
export { openStore } from './records/store.ts';
export { assertUpToDate, type Upgrade, type UpgradeOptions, upgrade } from './schema/upgrade.ts';
export { Steps, type StepsOptions } from './steps/steps.ts';
