/** Parts for tests of this workspace: a whole service, and real engines and programs around it. They are not packed. */

export { csrfToken } from '../../foundation/http/page-session.ts';
export { clientCertificate } from './client-certificate.ts';
export { readMessage } from './engines/message-folder.ts';
export { type Nginx, type NginxOptions, startNginx } from './engines/nginx.ts';
export { type CertificateTerms, type KeyAndRequest, type Openssl, openOpenssl } from './engines/openssl.ts';
export { type Pebble, type PebbleOptions, startPebble } from './engines/pebble.ts';
export { type PostgresServer, type PostgresServerOptions, startPostgres } from './engines/postgres.ts';
export { readQrText } from './engines/qr-reader.ts';
export { type Samba, startSamba } from './engines/samba.ts';
export { type Slapd, type SlapdOptions, startSlapd } from './engines/slapd.ts';
export { watchTls } from './engines/tls-stands.ts';
export { administratorSubject, type Enrolment, openEnrolment } from './enrolment.ts';
export {
  type Asking,
  basic,
  type Fixture,
  type FixtureOptions,
  openFixture,
  type Person,
} from './fixture.ts';
export { type Forgiving, forgiving } from './forgiving.ts';
export { rounds } from './measures/rounds.ts';
export { longestTurn, turnsDuring } from './measures/turn-times.ts';
export { boundToUs, freePorts, issueCertificate, scratchFolder } from './scratch.ts';
