/** Create, rename, move and search of directory objects by the Manager. */

import type { ServiceConfig } from '../../config/config.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { mapCooperatively } from '../../foundation/runtime/cooperative.ts';
import type { Dn, Rdn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import { valuesOfName } from '../../foundation/text/rdn.ts';
import type { Attributes } from '../../foundation/text/value.ts';
import type { Directory, SearchScope } from '../../ports/directory/directory.ts';
import { type NumberingView, withNumbers } from '../autoinc.ts';
import { type BinaryView, binaryAttributesAt } from '../binary-attributes.ts';
import { type ShownDataView, withoutSecrets } from '../data/shown-data.ts';
import { type WrittenValuesView, writeJudged } from '../data/written-values.ts';
import type { BoundView } from '../view.ts';
import { encodeAttributes } from './attributes.ts';
import { existingObject, missingContainer, onEntry, readExisting } from './entry.ts';

/** Entries, and numbering of new ones. */
export interface CreationView extends WrittenValuesView, NumberingView {}

/** Creates an object; false without attributes. */
export async function createObject(dn: Dn, attributes: Attributes, call: CreationView): Promise<boolean> {
  const given = new Map([...attributes].filter(([, values]) => values.length > 0));
  if (given.size === 0) return false;
  const { directory } = call;
  const create = () =>
    onEntry('create', dn, () => withNumbers(given, call, (numbered) => directory.add(dn, numbered)));
  await writeJudged(
    dn,
    { values: [...given, ...valuesOfName(dn.rdn)], add: false },
    { call, write: () => ontoFreeName(dn, { directory }, create) },
  );
  return true;
}

/** Moves an object with its RDN. @throws ServiceError `not_found` naming the object or the container */
export async function moveObject(dn: Dn, container: Dn, { directory }: BoundView): Promise<void> {
  try {
    const change = { rdn: dn.rdn, parent: container };
    await ontoFreeName(container.child(dn.rdn), { directory, own: dn }, () =>
      onEntry('move', dn, () => directory.rename(dn, change)),
    );
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
    await readExisting(directory, dn, ['1.1']);
    throw missingContainer(container);
  }
}

/**
 * Renames an object: changes the first naming attribute, and keeps the others of a multi-valued RDN.
 * @throws ServiceError `already_exists` naming the existing entry; `invalid_params` for an empty name
 */
export async function renameObject(dn: Dn, value: string, call: WrittenValuesView): Promise<void> {
  if (value.trim() === '') throw new ServiceError('invalid_params', { detail: 'Parameter name is empty' });
  const rdn: Rdn = dn.rdn.map((ava, index) => (index === 0 ? { type: ava.type, value } : ava));
  const { directory } = call;
  const renamed = dn.parent?.child(rdn) ?? dn;
  const rename = () => onEntry('rename', dn, () => directory.rename(dn, { rdn }));
  await writeJudged(
    dn,
    { values: valuesOfName(rdn), add: true },
    { call, write: () => ontoFreeName(renamed, { directory, own: dn }, rename) },
  );
}

/**
 * Turns `already_exists` into an error about the existing entry. OpenLDAP's overlay `unique` may refuse the value before the name.
 */
async function ontoFreeName(
  name: Dn,
  { directory, own }: { directory: Directory; own?: Dn },
  write: () => Promise<void>,
): Promise<void> {
  const isTaken = async () => !own?.equals(name) && (await directory.read(name, ['1.1'])) !== undefined;
  try {
    await write();
  } catch (error) {
    const isAbout =
      isReason(error, 'already_exists') || (isReason(error, 'schema_refused') && (await isTaken()));
    throw isAbout ? existingObject(name, error) : error;
  }
}

export interface ObjectSearch {
  readonly base: Dn;
  readonly filter: Filter;
  readonly scope: SearchScope;
  readonly attributes: readonly string[] | undefined;
}

/** Entries between two yields: a millisecond or so. */
const encodedAtOnce = 200;

export type FoundObjects = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Entries, and the size limit of answers. */
export interface SearchView extends BoundView, ShownDataView, BinaryView {
  readonly config: ShownDataView['config'] & {
    readonly limits: Pick<ServiceConfig['limits'], 'search_entries'>;
  };
}

/** Searches objects, in creation order, the base first. */
export async function searchObjects(
  { attributes, ...search }: ObjectSearch,
  call: SearchView,
): Promise<FoundObjects> {
  const { directory, config } = call;
  const limit = config.limits.search_entries;
  try {
    const found = await directory.search({ ...search, limit, ...(attributes && { attributes }) });
    const isBinary = await binaryAttributesAt(search.base, call);
    return new Map(
      await mapCooperatively(
        found,
        encodedAtOnce,
        (entry) => [entry.dn, encodeAttributes(withoutSecrets(entry, call), attributes, isBinary)] as const,
      ),
    );
  } catch (error) {
    throw isReason(error, 'not_found') ? missingContainer(search.base) : error;
  }
}
