/** What an event is found by: its application, and its application and entry. Hashed, because a DN may be longer than engines take keys. */
import { hash } from 'node:crypto';
import { memoizeLast } from '../../foundation/runtime/bounded-cache.ts';
import { Dn } from '../../foundation/text/dn.ts';

/** The same for all events of an application, or for those of an entry, however both are spelled. */
export const indexKey = (application: string, dn?: string): string =>
  dn === undefined ? keyOfApplication(application) : keyOf(application, entryOf({ dn }));

const keyOf = (application: string, entry: string): string =>
  hash('sha256', `${application.toLowerCase()}\n${entry}`, 'base64').slice(0, 24);

/** Each event that comes asks, and nearly all are of one application. */
const keyOfApplication = memoizeLast((application: string) => keyOf(application, ''));

/** In one spelling. */
export const entryOf = ({ dn }: { readonly dn?: string | undefined }): string =>
  dn === undefined ? '' : (Dn.tryParse(dn)?.key ?? dn);
