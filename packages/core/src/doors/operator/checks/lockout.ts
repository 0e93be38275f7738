/** Checks an installation before mode PKI is turned on: without an administrator certificate, nobody could log in to sign one. */
import type { ServerConfig } from '../../../config/config.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { CertificateRecord, CertificateRecords } from '../../../ports/store/certificate-records.ts';

/** @returns a sentence, or undefined where somebody can log in */
export async function lockoutWarning(
  { manager_auth }: Pick<ServerConfig, 'manager_auth'>,
  { certificates, clock }: Pick<Ports, 'clock'> & { readonly certificates: Pick<CertificateRecords, 'some'> },
): Promise<string | undefined> {
  if (manager_auth !== 'PKI') return undefined;
  const now = clock.now();
  if (await certificates.some((record) => isOfAdministrator(record) && isGood(record, now))) return undefined;
  return (
    'manager_auth is PKI, and no administrator has a certificate that is good, so nobody can log in to the Manager; ' +
    'set it to UID, have one signed as docs/guide/administering.md says, then set it to PKI.'
  );
}

/** Judges by the subject in its form for people: enough for a warning, and for nothing else. */
const isOfAdministrator = ({ subject }: CertificateRecord): boolean =>
  /(?:^|,)description=ADMIN(?:,|$)/.test(subject);

const isGood = ({ revoked, notAfter }: CertificateRecord, now: number): boolean =>
  revoked === undefined && notAfter > now;
