/**
 * Compare-and-swap on the values of one attribute: the old values are deleted and the new ones added in
 * one modify, so a change by somebody else in between makes it fail, and it is tried again on what is
 * there then. Nobody's change is lost, and nothing is read and then replaced.
 */
import { isReason, ServiceError } from '../errors.ts';
import type { Change, Directory } from './directory.ts';
import type { Dn } from './dn.ts';
import { readExisting, texts } from './entry.ts';
import { onEntry } from './explain.ts';

/** Each try that fails means that another one has succeeded; this many in a row is no accident. */
const tries = 200;

/**
 * @param next what the values shall be, from what they are; the same list: nothing is written
 * @throws ServiceError `unavailable` if others keep changing the attribute
 */
export async function swapValues(
  directory: Directory,
  { dn, attribute }: { dn: Dn; attribute: string },
  next: (values: readonly string[]) => readonly string[],
): Promise<void> {
  for (let left = tries; left > 0; left -= 1) {
    const entry = await readExisting(directory, dn, [attribute]);
    const changes = difference(attribute, texts(entry, attribute), next);
    if (changes.length === 0 || (await attempt(directory, dn, changes))) return;
  }
  throw new ServiceError('unavailable', {
    detail: `LDAP object '${dn}' is being changed by others; try again`,
  });
}

function difference(
  attribute: string,
  before: readonly string[],
  next: (values: readonly string[]) => readonly string[],
): readonly Change[] {
  const after = next(before);
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
