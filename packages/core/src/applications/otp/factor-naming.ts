/** The methods that name tokens, security keys and printed lists. */
import { type LastingFactor, nameChanges, readFactorName } from '../../administration/factor-name.ts';
import { swapData } from '../../directory/data/data.ts';
import { findEntryRef } from '../../directory/data/user-data.ts';
import type { ProfileContext } from '../../directory/view.ts';
import type { Dn } from '../../foundation/text/dn.ts';

/**
 * Nothing else of it changes. False if there is no such factor.
 * @param name left out or empty: it has none any more @throws ServiceError `invalid_params`, `not_found`
 */
export async function renameFactor(
  dn: Dn,
  { name = '', ...factor }: LastingFactor & { readonly name: string | undefined },
  call: ProfileContext,
): Promise<void | false> {
  const wanted = name.trim() === '' ? undefined : readFactorName(name);
  let isThere = false;
  await swapData(
    await findEntryRef(dn, call),
    (stored) => {
      const changes = nameChanges(factor, wanted, stored);
      isThere = changes !== undefined;
      return changes ?? new Map();
    },
    call,
  );
  return isThere ? undefined : false;
}
