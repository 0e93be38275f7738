/** The rows of the method table for certificates; listing and revocation are extensions of ours. */

import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import { method } from '../../table/method.ts';
import { dn, integer, optional, pem, singleWord, success, text, written } from '../../table/schema/index.ts';
import {
  type ConfirmingView,
  confirmAutomatically,
  confirmedApplication,
  minutesOf,
} from './auto-confirm.ts';
import {
  type CertificateSummary,
  type CertificateView,
  type ListedCertificate,
  listCertificates,
  revokeCertificate,
  type SigningView,
  signRequest,
} from './signing.ts';

const usualDays = 365;
const alice = 'uid=alice,ou=people,dc=example,dc=com';

const field = { type: 'string' };
const listed = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        serial: { ...field, description: 'Hexadecimal.' },
        subject: field,
        issued: { ...field, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' },
        not_after: { ...field, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' },
        status: { enum: ['valid', 'expired', 'revoked'] },
      },
    },
  },
  (certificates: readonly ListedCertificate[]) =>
    certificates.map(({ serial, subject, issued, notAfter, status }) => ({
      ...{ serial, subject, issued: formatTimestamp(issued), not_after: formatTimestamp(notAfter), status },
    })),
);

type Issued = Awaited<ReturnType<typeof signRequest>>;
type Revoked = Awaited<ReturnType<typeof revokeCertificate>>;

/** Returns the name of a signed or revoked certificate, without the PEM. */
const nameOf = ({ serial, subject }: CertificateSummary) => ({ serial, subject });

export const certificateMethods = {
  Sign_certificate_Request: method({
    summary:
      'Signs a certificate for the subject and the key of a request (PKCS #10; RSA of 2048 bits or more, or ECDSA on ' +
      'P-256, P-384 or P-521). For a user: `CN=<domain>\\<username>`, `UID`, `DC=<domain>`, `description=USER`. For an ' +
      'administrator: `CN=<DN>`, `description=ADMIN`. For a system that calls the web services: `CN=<name>`, ' +
      '`description=CLIENT`, or no description where the name is that of a host. For the latter two only super administrators have one signed. ' +
      `\`expires\` is in days, ${usualDays} by default.`,
    on: 'nothing',
    params: { request: pem(), expires: optional(integer({ min: 1, max: 3650 })) },
    example: { request: '-----BEGIN CERTIFICATE REQUEST-----…', expires: 90 },
    result: written({ type: 'string' }, ({ pem }: Issued) => pem),
    permission: 'write',
    needs: ['writesCertificates'],
    refusesTenants: 'Certificate signing not allowed for tenants',
    run: ({ request, expires = usualDays }, call: SigningView) => signRequest(request, expires, call),
    audit: nameOf,
  }),
  Cert_Auto_Confirm: method({
    summary:
      'Confirms signing requests of calling systems without a super administrator for `expires` minutes (1, 5, 10, 15, 30 or 60; 0 ends it): a caller that may have certificates signed has those signed too. `application` limits it to requests whose subject names it in OU, `addresses` (addresses and networks, with commas between them) to requests from there.',
    on: 'nothing',
    params: {
      expires: integer({ min: 0, max: 60 }),
      application: optional(text()),
      addresses: optional(singleWord()),
    },
    example: { expires: 10, application: 'otp', addresses: '192.0.2.0/24' },
    result: success(),
    permission: 'write',
    needs: ['isSuper'],
    run: ({ expires, application, addresses }, call: ConfirmingView) =>
      confirmAutomatically(
        { expires: minutesOf(expires), application: confirmedApplication(application, call), addresses },
        call,
      ),
  }),
  List_Certificates: method({
    summary:
      'Lists the certificates that were signed here for a user or administrator (`dn`) or, to super administrators, ' +
      'for a calling system (`client`); revoked ones too.',
    on: 'dn',
    params: { dn: optional(dn()), client: optional(text()) },
    example: { dn: alice },
    result: listed,
    permission: 'read',
    run: (owner, call: CertificateView) => listCertificates(owner, call),
  }),
  Revoke_Certificate: method({
    summary:
      'Revokes a certificate that was signed here, by its serial number in hexadecimal; false if it is revoked already.',
    on: 'nothing',
    params: { serial: text() },
    example: { serial: '4F1D0C9A5B7E4A0F8C2D6B3E91A75C40' },
    result: written({ type: 'boolean' }, ({ revoked }: Revoked) => revoked),
    permission: 'write',
    needs: ['writesCertificates'],
    run: ({ serial }, call: CertificateView) => revokeCertificate(serial, call),
    audit: nameOf,
  }),
} as const;
