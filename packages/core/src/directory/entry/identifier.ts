/** The permanent identifier of an entry (entryUUID, objectGUID). */
import type { Dn } from '../../foundation/text/dn.ts';
import type { EntryView } from '../view.ts';
import { idOf, readExisting } from './entry.ts';

/** Reads the identifier of an entry as the caller. @throws ServiceError `not_found` */
export async function entryIdentifier(dn: Dn, view: Omit<EntryView, 'config'>): Promise<string> {
  const { identifier } = await view.server.capabilities(dn);
  return idOf(await readExisting(view.directory, dn, [identifier]), { dn, identifier });
}
