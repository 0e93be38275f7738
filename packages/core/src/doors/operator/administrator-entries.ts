/** Makes the entries of an administrator that are missing. It can be repeated after a crash and makes nothing twice. */

import type { Dn } from '../../foundation/text/dn.ts';
import type { Attributes } from '../../foundation/text/value.ts';
import type { Directory } from '../../ports/directory/directory.ts';

/** @param attributes by their names in any spelling. @throws ServiceError as the directory's `add` */
export async function ensureEntry(
  directory: Directory,
  dn: Dn,
  attributes: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  if (await directory.read(dn, ['1.1'])) return;
  const lowered: Attributes = new Map(
    Object.entries(attributes).map(([key, values]) => [key.toLowerCase(), values]),
  );
  await directory.add(dn, lowered);
}

/** Classes of entries that others stand below, by the type of their RDN. */
const containerClasses: Readonly<Record<string, string>> = {
  ou: 'organizationalUnit',
  o: 'organization',
  l: 'locality',
};

/**
 * The entries between the base, which is there, and one that is to be made.
 * @returns the first name that is none of a container; undefined where all are there
 */
export async function ensureAbove(directory: Directory, dn: Dn, base: Dn): Promise<Dn | undefined> {
  const { parent } = dn;
  if (!parent || parent.equals(base)) return undefined;
  const lacking = await ensureAbove(directory, parent, base);
  if (lacking || (await directory.read(parent, ['1.1']))) return lacking;
  const objectClass = containerClasses[parent.rdn[0]?.type.toLowerCase() ?? ''];
  if (objectClass === undefined) return parent;
  await ensureEntry(directory, parent, { objectClass: [objectClass] });
  return undefined;
}

export interface NewPerson {
  readonly classes: readonly string[];
  /** The login name. */
  readonly uid: string;
  readonly cn: string;
  readonly sn: string;
  readonly others?: Readonly<Record<string, readonly string[]>>;
}

/** A person who logs in with a password; one who is there keeps everything but the password. */
export async function ensurePerson(
  directory: Directory,
  dn: Dn,
  { person, password }: { readonly person: NewPerson; readonly password: string },
): Promise<void> {
  const { classes, uid, cn, sn, others } = person;
  await ensureEntry(directory, dn, { objectClass: classes, uid: [uid], cn: [cn], sn: [sn], ...others });
  await directory.setPassword(dn, password, { mustChange: false });
}
