/** Parts for tests of programs on the core: contract suites of the ports, and a clock, a log and directories for them. */

export {
  type CertificateRecordsFixture,
  certificateRecordsContract,
} from './contracts/certificate-records-contract.ts';
export {
  type Account,
  type DirectoryFixture,
  type DirectoryTraits,
  directoryContract,
} from './contracts/directory-contract.ts';
export { type EntryRecordsFixture, entryRecordsContract } from './contracts/entry-records-contract.ts';
export { type EventLogFixture, eventLogContract } from './contracts/event-log-contract.ts';
export { type StoreFixture, storeContract } from './contracts/store-contract.ts';
export { KeptLog, type LogLine } from './kept-log.ts';
export { TestClock } from './test-clock.ts';
export { WatchedDirectory } from './watched-directory.ts';
