/** For tests of what is built on the core: contract suites of the ports, and real engines to run them on. */
export {
  type CertificateRecordsFixture,
  certificateRecordsContract,
} from './certificate-records-contract.ts';
export { clientCertificate } from './client-certificate.ts';
export {
  type Account,
  type DirectoryFixture,
  type DirectoryTraits,
  directoryContract,
} from './directory-contract.ts';
export { administratorSubject, type Enrolment, openEnrolment } from './enrolment.ts';
export { type EntryRecordsFixture, entryRecordsContract } from './entry-records-contract.ts';
export {
  type Asking,
  basic,
  type Fixture,
  type FixtureOptions,
  openFixture,
  type Person,
} from './fixture.ts';
export { type Forgiving, forgiving } from './forgiving.ts';
export { KeptLog, type LogLine } from './kept-log.ts';
export { type Nginx, type NginxOptions, startNginx } from './nginx.ts';
export { type CertificateTerms, type KeyAndRequest, type Openssl, openOpenssl } from './openssl.ts';
export { readQrText } from './qr-reader.ts';
export { type Samba, startSamba } from './samba.ts';
export { boundToUs, freePorts, scratchFolder } from './scratch.ts';
export { type Slapd, type SlapdOptions, startSlapd } from './slapd.ts';
export { type StoreFixture, storeContract } from './store-contract.ts';
export { TestClock } from './test-clock.ts';
export { watchTls } from './tls-stands.ts';
export { longestTurn } from './turn-times.ts';
export { WatchedDirectory } from './watched-directory.ts';
