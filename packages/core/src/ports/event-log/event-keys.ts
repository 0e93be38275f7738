/** Index keys of events, by application and by entry. Hashed, because a DN may be longer than a key of an engine. */
import { hash } from 'node:crypto';
import { memoizeLast } from '../../foundation/runtime/bounded-cache.ts';
import { Dn } from '../../foundation/text/dn.ts';

/** Returns the index key of an application, or of an application and an entry, in any spelling. */
export const eventIndexKey = (application: string, dn?: string): string =>
  dn === undefined ? keyOfApplication(application) : keyOf(application, eventEntryKey({ dn }));

const keyOf = (application: string, entry: string): string =>
  hash('sha256', `${application.toLowerCase()}\n${entry}`, 'base64').slice(0, 24);

/** Memoized, because nearly all events are of one application. */
const keyOfApplication = memoizeLast((application: string) => keyOf(application, ''));

/** Returns the key of the entry of an event; empty without an entry. */
export const eventEntryKey = ({ dn }: { readonly dn?: string | undefined }): string =>
  dn === undefined ? '' : (Dn.tryParse(dn)?.key ?? dn);
