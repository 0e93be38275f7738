/** What an entry is known by, whatever it is called meanwhile (entryUUID, objectGUID). */
import type { Dn } from '../../foundation/text/dn.ts';
import type { EntryView } from '../view.ts';
import { idOf, readExisting } from './entry.ts';

/** Of an entry that the caller may read. @throws ServiceError `not_found` */
export async function entryIdentifier(dn: Dn, view: Omit<EntryView, 'config'>): Promise<string> {
  const { identifier } = await view.server.capabilities(dn);
  return idOf(await readExisting(view.directory, dn, [identifier]), { dn, identifier });
}
