/** Pages for verifiers of our certificates (CRL, OCSP, authority), without a login. */

import type { WebResponse } from '../../foundation/http/http.ts';
import type { CertificateAuthority } from '../../ports/authority.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CertificateRecords } from '../../ports/store/certificate-records.ts';
import type { Page } from '../../table/page.ts';
import { certificateStatus } from './certificate-status.ts';

/** The authority. */
interface AuthorityView {
  readonly authority: CertificateAuthority;
}

/** The authority's certificate, PEM: for clients to trust. */
export const authorityPage: Page<AuthorityView> = async (_, { authority }) =>
  file('application/x-pem-file', authority.certificate);

/** The list of revoked certificates, DER (RFC 5280 §4.2.1.13). */
export const revocationListPage: Page<
  AuthorityView & RecordView & { readonly clock: Pick<Clock, 'now'> }
> = async (_, { authority, certificates, clock }) =>
  file('application/pkix-crl', await authority.list(await certificates.revoked(clock.now())));

/** OCSP over HTTP (RFC 6960 appendix A). */
export const statusPage: Page<AuthorityView & RecordView> = async ({ body }, { authority, certificates }) =>
  file(
    'application/ocsp-response',
    await authority.answer(await body(), (serial) => certificateStatus(serial, { certificates })),
  );

/** The records of issued certificates. */
interface RecordView {
  readonly certificates: CertificateRecords;
}

const file = (type: string, body: string | Uint8Array): WebResponse => ({
  status: 200,
  headers: { 'content-type': type },
  body,
});
