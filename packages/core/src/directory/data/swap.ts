/**
 * Compare-and-swap on the values of an attribute: one modify deletes the old values and adds the new ones. After a concurrent change it
 * fails and is repeated with the new values, so no change is lost.
 */
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Change, Directory } from '../../ports/directory/directory.ts';
import { onEntry, readExisting, texts } from '../entry/entry.ts';

/** Tries, each of which fails only because another change has succeeded. */
const tries = 200;

export interface Swap {
  /** Returns the new values; the same list to write nothing. */
  next(values: readonly string[]): readonly string[];
  /**
   * Returns false for values that `next` never leaves. Two concurrent first writes both succeed; the later one then finds the other value,
   * and tries again.
   */
  isSound(values: readonly string[]): boolean;
}

/** Swaps values. @throws ServiceError `not_found`; `unavailable` after too many concurrent changes */
export async function swapValues(
  directory: Directory,
  { dn, attribute }: { dn: Dn; attribute: string },
  swap: Swap,
): Promise<void> {
  const read = async () => texts(await readExisting(directory, dn, [attribute]), attribute);
  for (let left = tries; left > 0; left -= 1) {
    const before = await read();
    const changes = difference(attribute, before, swap.next(before));
    if (changes.length === 0) return;
    if (!(await attempt(directory, dn, changes))) continue;
    // A concurrent change deletes the old values, too: of two that delete all of them, one fails.
    const [{ operation, values } = { operation: 'add', values: [] }] = changes;
    if (operation === 'delete' && values.length === before.length) return;
    if (swap.isSound(await read())) return;
  }
  throw new ServiceError('unavailable', {
    detail: `LDAP object '${dn}' is being changed by others; try again`,
  });
}

function difference(
  attribute: string,
  before: readonly string[],
  after: readonly string[],
): readonly Change[] {
  const gone = before.filter((value) => !after.includes(value));
  const come = after.filter((value) => !before.includes(value));
  return [
    ...(gone.length > 0 ? [{ operation: 'delete' as const, attribute, values: gone }] : []),
    ...(come.length > 0 ? [{ operation: 'add' as const, attribute, values: come }] : []),
  ];
}

async function attempt(directory: Directory, dn: Dn, changes: readonly Change[]): Promise<boolean> {
  try {
    await onEntry('update', dn, () => directory.modify(dn, changes));
    return true;
  } catch (error) {
    if (isReason(error, 'value_missing', 'value_exists')) return false;
    throw error;
  }
}
