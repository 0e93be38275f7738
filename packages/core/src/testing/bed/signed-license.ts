/** Licences for tests: their issuer is made for the test. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { type SignedLicense, VerifiedLicense } from '../../administration/license/license.ts';

const issuer = generateKeyPairSync('ed25519');

/** Valid for the whole year of a fixture's clock. */
export const usualLicense = {
  type: 'Enterprise',
  customer_id: 'Example Ltd',
  valid_from: '2026-01-01 00:00:00',
  valid_to: '2026-12-31 23:59:59',
} as const;

/** A licence as its file and the key of its issuer hold it; the content may be anything. */
export function signLicense(content: unknown): SignedLicense {
  const text = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const signature = sign(null, text, issuer.privateKey);
  return {
    license: JSON.stringify({ license: text.toString('base64'), signature: signature.toString('base64') }),
    key: String(issuer.publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

/** A licence that differs from the usual one by this. */
export function newLicense(more: Readonly<Record<string, unknown>> = {}): VerifiedLicense {
  return VerifiedLicense.verify(signLicense({ ...usualLicense, ...more }));
}

/** A licence for a number of users, and nothing else. */
export const licenseFor = (users: number): VerifiedLicense =>
  newLicense({ products: { Otp: { maximum_users: String(users) } } });
