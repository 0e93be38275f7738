/** The path at which the example `enroll-admin-certificate` puts the administrator's certificate: `npm start` shows its use. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of PEM files. */
export interface AdminCertificate {
  readonly certificate: string;
  readonly key: string;
  /** Somebody has made them. */
  readonly isThere: boolean;
}

/** @param data the data folder */
export function adminCertificate(data: string): AdminCertificate {
  const certificate = join(data, 'admin-certificate.pem');
  const key = join(data, 'admin-key.pem');
  return { certificate, key, isThere: existsSync(certificate) && existsSync(key) };
}
