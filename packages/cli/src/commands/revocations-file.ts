/** Reads the file of a certificate revocation list, which `restored --crl` takes. */
import { readFileSync } from 'node:fs';
import { ServiceError, StartError } from '@watchword/core/foundation';
import type { NamedRevocationList } from '@watchword/core/operator';
import type { Ports } from '@watchword/core/ports';
import { whyUnreadable } from '@watchword/node';

/** @throws StartError if it is no list of this authority */
export async function readRevocations(
  path: string,
  { authority }: Pick<Ports, 'authority'>,
): Promise<NamedRevocationList> {
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
