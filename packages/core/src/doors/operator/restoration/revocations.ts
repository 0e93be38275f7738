/** Adds revocations from a published CRL that is newer than the restored folder. */
import { X509Certificate } from 'node:crypto';
import type { RevocationList } from '../../../ports/authority.ts';
import type { Ports } from '../../../ports/ports.ts';

export interface NamedRevocationList extends RevocationList {
  readonly path: string;
}

/** Returns how many were not known as revoked. A certificate that was signed since has no record: the lists go on naming it. */
export async function keepRevocations(
  { revoked }: RevocationList,
  { authority, certificates }: Pick<Ports, 'authority' | 'certificates'>,
  { writes }: { readonly writes: boolean },
): Promise<number> {
  const known = new Set((await certificates.revoked(0)).map(({ serial }) => serial));
  const news = revoked.filter(({ serial }) => !known.has(serial));
  // A certificate does not outlive its authority.
  const notAfter = Date.parse(new X509Certificate(authority.certificate).validTo);
  for (const { serial, revoked: at } of writes ? news : [])
    if (!(await certificates.revoke(serial, at)))
      await certificates.noteRevoked({ serial, revoked: at, notAfter });
  return news.length;
}
