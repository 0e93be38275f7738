/** Revocations that a published list of the time since knows, and the restored folder does not. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { whyUnreadable } from '../../adapters/system/index.ts';
import type { Ports } from '../../engines.ts';
import { ServiceError } from '../../errors/errors.ts';
import { StartError } from '../../errors/start-error.ts';
import type { SignedList } from '../../ports/authority.ts';

type Pki = Pick<Ports, 'authority' | 'certificates'>;

export interface NamedList extends SignedList {
  readonly path: string;
}

/** @throws StartError if it is no list of this authority */
export async function readRevocations(path: string, { authority }: Pki): Promise<NamedList> {
  try {
    return { path, ...(await authority.readList(readFile(path))) };
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new StartError(`${path} cannot be used: ${cause.detail ?? cause.message}.`, { cause });
  }
}

function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new StartError(`${path} cannot be read (${whyUnreadable(cause)}).`, { cause });
  }
}

/** How many were not known as revoked. Of one that was signed since there is no record: the lists go on naming it. */
export async function keepRevocations(
  { revoked }: SignedList,
  { authority, certificates }: Pki,
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
