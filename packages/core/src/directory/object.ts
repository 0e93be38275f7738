/** Directory objects as the Manager creates, renames, moves and finds them (manager.md §3). */
import { isReason } from '../errors.ts';
import type { Call } from '../method.ts';
import { encodeAttributes } from './attributes.ts';
import { withNumbers } from './autoinc.ts';
import type { Scope } from './directory.ts';
import type { Dn, Rdn } from './dn.ts';
import { readExisting } from './entry.ts';
import { existingObject, missingContainer, onEntry } from './explain.ts';
import type { Filter } from './filter.ts';
import type { Attributes } from './value.ts';

/** False if there are no attributes to create it with. */
export async function createObject(dn: Dn, attributes: Attributes, call: Call): Promise<boolean> {
  const given = new Map([...attributes].filter(([, values]) => values.length > 0));
  if (given.size === 0) return false;
  await onEntry('create', dn, () => withNumbers(given, call, (numbered) => call.directory.add(dn, numbered)));
  return true;
}

/** Keeps the RDN. @throws ServiceError `not_found` naming the object or the container. */
export async function moveObject(dn: Dn, container: Dn, { directory }: Call): Promise<void> {
  try {
    const change = { rdn: dn.rdn, parent: container };
    await ontoFreeName(container.child(dn.rdn), () =>
      onEntry('move', dn, () => directory.rename(dn, change)),
    );
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
    await readExisting(directory, dn, ['1.1']);
    throw missingContainer(container);
  }
}

/** Gives the first naming attribute another value; the others of a multi-valued RDN stay. */
export async function renameObject(dn: Dn, value: string, { directory }: Call): Promise<void> {
  const rdn: Rdn = dn.rdn.map((ava, index) => (index === 0 ? { type: ava.type, value } : ava));
  const renamed = dn.parent?.child(rdn) ?? dn;
  await ontoFreeName(renamed, () => onEntry('rename', dn, () => directory.rename(dn, { rdn })));
}

/** What exists already has the new name: the error is about that entry, not about the one on its way. */
async function ontoFreeName(name: Dn, rename: () => Promise<void>): Promise<void> {
  try {
    await rename();
  } catch (error) {
    throw isReason(error, 'already_exists') ? existingObject(name, error) : error;
  }
}

export interface ObjectSearch {
  readonly base: Dn;
  readonly filter: Filter;
  readonly scope: Scope;
  readonly attributes: readonly string[] | undefined;
}

export type FoundObjects = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Objects by DN in creation order, the base first. */
export async function searchObjects(
  { attributes, ...search }: ObjectSearch,
  call: Call,
): Promise<FoundObjects> {
  const limit = call.core.config.limits.search_entries;
  try {
    const found = await call.directory.search({ ...search, limit, ...(attributes && { attributes }) });
    return new Map(found.map((entry) => [entry.dn, encodeAttributes(entry, attributes)]));
  } catch (error) {
    throw isReason(error, 'not_found') ? missingContainer(search.base) : error;
  }
}
