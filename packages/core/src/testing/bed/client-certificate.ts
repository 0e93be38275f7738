import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertifiedKey } from '../../../../pki/src/index.ts';

/** A client certificate, made by openssl, with one subject for every signer. */
export function clientCertificate(by: CertifiedKey): CertifiedKey {
  const folder = mkdtempSync(join(tmpdir(), 'watchword-client-'));
  const at = (name: string) => join(folder, name);
  try {
    writeFileSync(at('ca.pem'), by.certificate);
    writeFileSync(at('ca.key'), by.key, { mode: 0o600 });
    const issue =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=admin -days 1 -addext';
    const files = [
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-out',
      at('client.pem'),
      '-keyout',
      at('client.key'),
    ];
    execFileSync('openssl', [...issue.split(' '), 'extendedKeyUsage=clientAuth', ...files], {
      stdio: 'pipe',
    });
    return {
      certificate: readFileSync(at('client.pem'), 'utf8'),
      key: readFileSync(at('client.key'), 'utf8'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
