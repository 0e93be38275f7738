/** Returns whether certificates that this installation issued are still valid. */
import type { X509Certificate } from 'node:crypto';
import type { CertificateStatus } from '../../ports/authority.ts';
import type { CertificateRecords } from '../../ports/store/certificate-records.ts';

interface IssuedView {
  readonly certificates: Pick<CertificateRecords, 'find'>;
}

/** @param serial hexadecimal, lower case. @throws ServiceError `unavailable` */
export async function certificateStatus(
  serial: string,
  { certificates }: IssuedView,
): Promise<CertificateStatus> {
  const record = await certificates.find(serial);
  if (!record) return { status: 'unknown' };
  return record.revoked === undefined ? { status: 'good' } : { status: 'revoked', at: record.revoked };
}

/** One that was not issued here is not revoked either. @throws ServiceError `unavailable` */
export async function isRevoked({ serialNumber }: X509Certificate, view: IssuedView): Promise<boolean> {
  return (await certificateStatus(serialNumber.toLowerCase(), view)).status === 'revoked';
}
