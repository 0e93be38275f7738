/**
 * Searches within rights. Only subtrees in reach are searched, so that what stands elsewhere costs nothing and counts
 * against no limit; and an entry is found only by attributes of it that may be read, because a filter tells as much
 * as the value would.
 */
import type { Directory, Entry, Scope, SearchRequest } from '../directory/directory.ts';
import { Dn } from '../directory/dn.ts';
import type { Filter } from '../directory/filter.ts';
import { isReason, ServiceError } from '../errors.ts';
import { denied, type Rights } from './rights.ts';

/** The `*`, `+` and `1.1` of RFC 4511 §4.5.1.8: what they select is looked at when it is there. */
export const isSelector = (name: string): boolean => name === '*' || name === '+' || name === '1.1';

/** @throws ServiceError `permission_denied` for a base out of reach, or attributes that may be read nowhere */
export async function searchRestricted(
  directory: Directory,
  request: SearchRequest,
  rights: Rights,
): Promise<readonly Entry[]> {
  const asserted = attributesIn(request.filter);
  const wanted = (request.attributes ?? []).filter((name) => !isSelector(name));
  for (const name of [...asserted, ...wanted]) {
    if (!rights.readsAnywhere(name)) throw denied(`you may not read ${name}`);
  }
  const found: Entry[] = [];
  const places = placesOf(request, rights);
  for (const place of places) {
    const isPart = place.base !== request.base;
    found.push(...(await searchPlace(directory, { ...request, ...place }, isPart)));
  }
  const seen = found.flatMap((entry) => {
    const dn = Dn.parse(entry.dn);
    const isFound = rights.holds(dn) && asserted.every((name) => rights.reads(dn, name));
    return isFound ? [visible(entry, dn, rights)] : [];
  });
  if (request.limit !== undefined && seen.length > request.limit) throw new ServiceError('too_large');
  return seen;
}

/** An entry with those of its attributes that may be read. */
export function visible(entry: Entry, dn: Dn, rights: Rights): Entry {
  const attributes = new Map([...entry.attributes].filter(([name]) => rights.reads(dn, name)));
  return { dn: entry.dn, attributes };
}

interface Place {
  readonly base: Dn;
  readonly scope: Scope;
}

/** The base where it is in reach, else the parts below it that are. */
function placesOf({ base, scope }: SearchRequest, { subtrees }: Rights): readonly Place[] {
  if (!subtrees || subtrees.some((subtree) => base.isWithin(subtree))) return [{ base, scope }];
  const below = outermost(subtrees.filter((subtree) => subtree.isWithin(base)));
  if (scope === 'base' || below.length === 0) throw denied('the search base is out of your reach');
  if (scope === 'sub') return below.map((subtree) => ({ base: subtree, scope }));
  const children = below.filter(({ parent }) => parent?.equals(base));
  return children.map((subtree) => ({ base: subtree, scope: 'base' }));
}

/** Without those that stand within others. */
function outermost(subtrees: readonly Dn[]): readonly Dn[] {
  const all = [...new Map(subtrees.map((subtree) => [subtree.key, subtree])).values()];
  return all.filter((one) => !all.some((other) => other !== one && one.isWithin(other)));
}

/** A subtree of a role that is not there has nothing in it. */
async function searchPlace(
  directory: Directory,
  request: SearchRequest,
  isPart: boolean,
): Promise<readonly Entry[]> {
  try {
    return await directory.search(request);
  } catch (error) {
    if (isPart && isReason(error, 'not_found')) return [];
    throw error;
  }
}

/**
 * The attributes that a filter asserts something of.
 * @throws ServiceError `permission_denied` for an assertion on every attribute, or on the DN (RFC 4511 §4.5.1.7.7)
 */
function attributesIn(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(attributesIn);
    case 'not':
      return attributesIn(filter.filter);
    case 'extensible':
      if (filter.attribute === undefined || filter.dnAttributes)
        throw denied('you may only search by attributes that the filter names');
      return [filter.attribute];
    default:
      return [filter.attribute];
  }
}
