/** The link that a person outside of the directory receives by mail: it shows the file and accepts one answer. */
import { hash } from 'node:crypto';
import type { KeyRing } from '../../../../ports/keys.ts';
import type { TimedValue } from '../../../../ports/store/ledger.ts';
import {
  lookUpTransaction,
  type PhoneTransaction,
  type TransactionsView,
} from '../../../phone/transaction.ts';

/**
 * The family of links in the store: the sealed session under a hash of the link's secret. The calling system knows the session, and not
 * the link.
 */
export const linkFamily = 'extern-link';

/** Characters, of letters and digits: 190 bits. */
export const linkLength = 32;

export const linkKey = (link: string): string => `${linkFamily}:${hash('sha256', link)}`;

export const linkValue = (
  key: string,
  { session, seconds }: { readonly session: string; readonly seconds: number },
  keys: Pick<KeyRing, 'seal'>,
): TimedValue => ({ value: keys.seal(Buffer.from(session), key), seconds });

/** Reads a link; undefined if it is unknown or has expired. */
export async function findByLink(
  link: string,
  view: TransactionsView,
): Promise<PhoneTransaction | undefined> {
  if (link.length !== linkLength || !/^[A-Za-z0-9]+$/.test(link)) return undefined;
  const key = linkKey(link);
  const value = await view.store.get(key);
  return value && lookUpTransaction(Buffer.from(view.keys.open(value, key)).toString(), view);
}
