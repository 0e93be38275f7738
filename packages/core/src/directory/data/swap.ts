/**
 * Compare-and-swap on the values of one attribute: the old values are deleted and the new ones added in
 * one modify, so a change of them by somebody else in between makes it fail, and it is tried again on what is
 * there then. Nobody's change is lost, and nothing is read and then replaced.
 */
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Change, Directory } from '../../ports/directory/directory.ts';
import { onEntry, readExisting, texts } from '../entry/entry.ts';

/** Each try that fails means that another one has succeeded; this many in a row is no accident. */
const tries = 200;

export interface Swap {
  /** What the values shall be, from what they are; the same list: nothing is written. */
  next(values: readonly string[]): readonly string[];
  /**
   * False for values that `next` alone never leaves. Two that add a value where none was do not notice each
   * other; whoever comes last finds what it should have replaced beside its own, and tries again.
   */
  isSound(values: readonly string[]): boolean;
}

/** @throws ServiceError `not_found`; `unavailable` if others keep changing the attribute */
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
    // Whoever else changes something deletes what was there: of two who have deleted all of it, one has failed.
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
