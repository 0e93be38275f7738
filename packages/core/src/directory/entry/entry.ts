/** What the core asks of an entry that it reads: that it is there, its classes, its text. */
import { isReason, ServiceError } from '../../errors/errors.ts';
import type { Dn } from '../../text/dn.ts';
import type { Directory, Entry } from '../directory.ts';
import { missingObject, onEntry } from './explain.ts';

/** @throws ServiceError `not_found`: `LDAP object '<dn>' does not exist`. */
export async function readExisting(
  directory: Directory,
  dn: Dn,
  attributes?: readonly string[],
): Promise<Entry> {
  const entry = await onEntry('read', dn, () => directory.read(dn, attributes));
  if (!entry) throw missingObject(dn);
  return entry;
}

/** The order of checks (manager.md §2): that the entry is missing is said before what else is wrong. */
export async function onExisting<T>(directory: Directory, dn: Dn, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isReason(error, 'invalid_params')) await readExisting(directory, dn, ['1.1']);
    throw error;
  }
}

/** The values of one attribute that are text. */
export function texts(entry: Entry, attribute: string): readonly string[] {
  return (entry.attributes.get(attribute.toLowerCase()) ?? []).filter((value) => typeof value === 'string');
}

/** An entry has one of these classes; names are compared without regard to case. */
export function hasClass(entry: Entry, classes: readonly string[]): boolean {
  const has = new Set(texts(entry, 'objectclass').map((name) => name.toLowerCase()));
  return classes.some((name) => has.has(name.toLowerCase()));
}

/** The UUID or GUID of an entry, as text; undefined if it was not read. */
export function identifierOf({ attributes }: Entry, attribute: string): string | undefined {
  const id = attributes.get(attribute)?.[0];
  return typeof id === 'string' ? id.toLowerCase() : id && Buffer.from(id).toString('hex');
}

/** The UUID or GUID of an entry that was read with it, as data are bound to it. */
export function idOf(entry: Entry, { dn, identifier }: { dn: Dn; identifier: string }): string {
  const id = identifierOf(entry, identifier);
  if (id === undefined) {
    throw new ServiceError('permission_denied', {
      detail: `Could not read ${identifier} of LDAP object '${dn}'`,
    });
  }
  return id;
}
