/** Opens the authority that signs for users, on an existing certificate and key. */
import { StartError } from '@watchword/core/foundation';
import type { CertificateAuthority } from '@watchword/core/ports';
import type { IssuePorts } from './certificate.ts';
import { authorityKey, type CertifiedKey, readX509 } from './keys.ts';
import type { SigningAuthority } from './signing-authority.ts';

/**
 * Opens the authority that signs for people, on a certificate and a key that exist.
 * Both are judged at once; the key is kept in no form that can be read.
 * @param pair certificate and key, PEM
 * @param ports the clock and the random numbers
 * @returns the authority, for the port `authority` of `createService`
 * @throws StartError if it is no authority, its key is another's, or they cannot be read
 * @see RFC 5280
 * @see docs/concepts/factors-and-login-modes.md#certificate
 * @example
 * ```ts
 * import { systemClock, systemRandom } from '@watchword/node';
 * import { createAuthority, openAuthority } from '@watchword/pki';
 *
 * const ports = { clock: systemClock, random: systemRandom };
 * const authority = await createAuthority({ commonName: 'Example CA', days: 30 }, ports);
 * const { recognise } = await openAuthority(authority, ports);
 * console.log(await recognise('no certificate')); // undefined
 * ```
 */
export async function openAuthority(pair: CertifiedKey, ports: IssuePorts): Promise<CertificateAuthority> {
  const { certificate } = pair;
  if (!readX509(certificate).ca)
    throw new StartError(
      'The certificate of the certificate authority is not one of an authority; give one with CA:TRUE.',
    );
  const it = lazily({ certificate, key: await authorityKey(pair) }, ports);
  return {
    certificate,
    read: async (request) => (await it()).read(request),
    issue: async (request, terms) => (await it()).issue(request, terms),
    recognise: async (shown) => (await it()).recognise(shown),
    list: async (revoked) => (await it()).list(revoked),
    readList: async (list) => (await it()).readList(list),
    answer: async (request, judge) => (await it()).answer(request, judge),
    assertSignable: async (content, form) => (await it()).assertSignable(content, form),
    sign: async (content, order) => (await it()).sign(content, order),
    probe: async () => (await it()).probe(),
  };
}

/** Loads a module once, and again after a failure. */
function lazily(
  of: { readonly certificate: string; readonly key: CryptoKey },
  ports: IssuePorts,
): () => Promise<SigningAuthority> {
  let loading: Promise<SigningAuthority> | undefined;
  const load = async () => {
    try {
      return (await import('./signing-authority.ts')).signingAuthority(of, ports);
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return () => {
    loading ??= load();
    return loading;
  };
}
