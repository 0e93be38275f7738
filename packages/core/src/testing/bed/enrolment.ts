/** Certificates for tests, made as users get them: by a request of openssl that the Manager signs. */
import { X509Certificate } from 'node:crypto';
import type { CertifiedKey } from '../../../../pki/src/index.ts';
import { type CertificateTerms, type Openssl, openOpenssl, usages } from './engines/openssl.ts';
import type { Fixture } from './fixture.ts';

export interface Enrolment {
  readonly openssl: Openssl;
  /** The certificate of an administrator, signed by the service. @param dn optional; default: the fixture's administrator */
  administrator(dn?: string): Promise<CertifiedKey>;
  /** Returns a certificate of any subject that the service signs. */
  sign(subject: string): Promise<CertifiedKey>;
  /**
   * One that somebody signed with the key of the authority and put on record as the administrator's: what it says
   * alone speaks against it.
   */
  smuggle(subject: string, terms?: CertificateTerms): Promise<CertifiedKey>;
  /**
   * The same in every word, number and name, by an authority of the same name with another key; nothing in it says
   * which key that was.
   */
  forge(certificate: string, subject: string): Promise<CertifiedKey>;
  revoke(certificate: string): Promise<void>;
  close(): Promise<void>;
}

/** @param fixture in a mode without certificates; its clock is set to the time that openssl signs at */
export async function openEnrolment(fixture: Fixture): Promise<Enrolment> {
  const openssl = await openOpenssl();
  fixture.clock.advance(Date.now() + 240_000 - fixture.clock.now());
  const sign = async (subject: string): Promise<CertifiedKey> => {
    const { key, request } = await openssl.request(subject);
    const { result, error } = await fixture.call('Sign_certificate_Request', { request });
    if (error) throw new Error(`not signed: ${error.data}`);
    return { key, certificate: String(result) };
  };
  const administrator = (dn = fixture.admin.dn) => sign(administratorSubject(dn));
  return {
    openssl,
    sign,
    administrator,
    smuggle: async (subject, terms) => {
      const record = await recordOf((await administrator()).certificate, fixture);
      const made = await openssl.certify(subject, { by: fixture.authority, ...terms });
      const { serialNumber, validTo } = new X509Certificate(made.certificate);
      await fixture.ports.certificates.add({
        ...{ ...record, subject },
        ...{ serial: serialNumber.toLowerCase(), notAfter: Date.parse(validTo) },
      });
      return made;
    },
    forge: async (certificate, subject) => {
      const { issuer, serialNumber } = new X509Certificate(certificate);
      const by = await openssl.certify(`/${issuer.replaceAll('\n', '/')}`, {
        isAuthority: true,
        extensions: ['keyUsage = keyCertSign'],
      });
      return openssl.certify(subject, {
        by,
        extensions: [...usages, 'authorityKeyIdentifier = none'],
        options: ['-set_serial', `0x${serialNumber}`],
      });
    },
    revoke: async (certificate) => {
      const { serial } = await recordOf(certificate, fixture);
      await fixture.ports.certificates.revoke(serial, fixture.clock.now());
    },
    close: () => openssl.close(),
  };
}

/** Returns the subject for `openssl req -subj`. */
export const administratorSubject = (dn: string): string => `/CN=${dn}/description=ADMIN/SN=Admin`;

async function recordOf(certificate: string, { ports }: Fixture) {
  const { serialNumber } = new X509Certificate(certificate);
  const record = await ports.certificates.find(serialNumber.toLowerCase());
  if (!record) throw new Error('not on record');
  return record;
}
