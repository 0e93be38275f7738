/** Passwords of users, set and checked (manager.md §3). */
import type { Call } from '../method.ts';
import type { Dn } from './dn.ts';
import { onEntry } from './explain.ts';
import { readExisting } from './user.ts';

export async function setPassword(
  dn: Dn,
  { password, mustChange }: { password: string; mustChange: boolean },
  { directory }: Call,
): Promise<void> {
  await readExisting(directory, dn, ['1.1']);
  await onEntry('update', dn, () => directory.setPassword(dn, password, { mustChange }));
}

/**
 * The directory accepts this password for this user now. One that has to be changed at the next login is
 * right; one that has expired, or that of a locked account, is not.
 */
export async function checkPassword(dn: Dn, password: string, { directory, core }: Call): Promise<boolean> {
  await readExisting(directory, dn, ['1.1']);
  return (await core.directory.authenticate(dn, password)).granted;
}
