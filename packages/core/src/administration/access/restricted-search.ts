/**
 * Searches within rights. Only subtrees in reach are searched, so that entries elsewhere cost nothing and count against no limit. An
 * entry is found only by attributes that may be read, because a filter reveals as much as the value.
 */

import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import { attributeType } from '../../foundation/text/value.ts';
import type {
  ChildrenPage,
  ChildrenRequest,
  Directory,
  Entry,
  SearchRequest,
  SearchScope,
} from '../../ports/directory/directory.ts';
import { denied } from './permission-check.ts';
import type { Restriction } from './restriction.ts';

/** The `*`, `+` and `1.1` of RFC 4511 §4.5.1.8: what they select is looked at when it is there. */
export const isSelector = (name: string): boolean => name === '*' || name === '+' || name === '1.1';

type ReadRestriction = Pick<Restriction, 'check' | 'isSecret' | 'isSuperior'>;

/** @throws ServiceError `permission_denied` for a base out of reach, or attributes that may be read nowhere */
export async function searchRestricted(
  directory: Directory,
  request: SearchRequest,
  restriction: ReadRestriction,
): Promise<readonly Entry[]> {
  const { asserted, wanted } = attributesOf(request, restriction);
  const found: Entry[] = [];
  for (const place of placesOf(request, asserted, restriction)) {
    const isPart = place.base !== request.base;
    found.push(...(await searchPlace(directory, { ...request, ...place }, isPart)));
  }
  const seen = await allShown(found, { asserted, wanted }, restriction);
  const { limit = seen.length, partial } = request;
  if (seen.length > limit && !partial) throw new ServiceError('too_large');
  return seen.slice(0, limit);
}

/** Lists children within rights. If the base is out of reach, its children are the subtrees in reach right below it. */
export async function childrenRestricted(
  directory: Directory,
  request: ChildrenRequest,
  restriction: ReadRestriction,
): Promise<ChildrenPage> {
  const { after, limit, ...rest } = request;
  const asked = attributesOf(rest, restriction);
  const [place] = placesOf({ ...rest, scope: 'one' }, asked.asserted, restriction);
  if (place?.base !== request.base) {
    const entries = await searchRestricted(directory, { ...rest, scope: 'one' }, restriction);
    if (after !== undefined)
      throw new ServiceError('invalid_params', { detail: 'unknown or malformed page token' });
    return { entries, next: undefined };
  }
  const page = await directory.children(request);
  return { ...page, entries: await allShown(page.entries, asked, restriction) };
}

interface Asked {
  readonly asserted: readonly string[];
  readonly wanted: readonly string[];
}

/** Returns the attributes that a search names. @throws ServiceError `permission_denied` for an attribute that may be read nowhere */
function attributesOf(
  { filter, attributes }: Pick<SearchRequest, 'filter' | 'attributes'>,
  { check }: ReadRestriction,
): Asked {
  const asserted = attributesIn(filter);
  const wanted = (attributes ?? []).filter((name) => !isSelector(name));
  for (const name of [...asserted, ...wanted]) {
    if (!check.readsAnywhere(name)) throw denied(`you may not read ${name}`);
  }
  return { asserted, wanted };
}

async function allShown(
  found: readonly Entry[],
  asked: Asked,
  restriction: ReadRestriction,
): Promise<readonly Entry[]> {
  const seen: Entry[] = [];
  for (const entry of found) {
    const shown = await shownOf(entry, asked, restriction);
    if (shown) seen.push(shown);
  }
  return seen;
}

/** Returns the visible part of an entry; undefined: the filter matches only by what may not be read. */
async function shownOf(
  entry: Entry,
  { asserted, wanted }: Asked,
  { check, isSecret, isSuperior }: ReadRestriction,
): Promise<Entry | undefined> {
  const dn = Dn.parse(entry.dn);
  const secrets = [...asserted, ...wanted].filter(isSecret);
  const open = secrets.length === 0 || (await isSuperior(dn)) ? [] : secrets;
  const named = new Set(open.map(attributeType));
  const reads = (name: string) =>
    check.reads(dn, name) && (!isSecret(name) || named.has(attributeType(name)));
  return check.holds(dn) && asserted.every(reads) ? visible(entry, reads) : undefined;
}

/** An entry with those of its attributes that are shown. */
export function visible({ dn, attributes }: Entry, isShown: (name: string) => boolean): Entry {
  return { dn, attributes: new Map([...attributes].filter(([name]) => isShown(name))) };
}

interface SearchPart {
  readonly base: Dn;
  readonly scope: SearchScope;
}

/**
 * The base where it is in reach, else the parts below it that are. Where an attribute of the filter may not be read
 * nothing is looked for: that there are too many matches would tell something of its values.
 */
function placesOf(
  { base, scope }: SearchRequest,
  asserted: readonly string[],
  { check }: ReadRestriction,
): readonly SearchPart[] {
  const mayAsk = (dn: Dn) => asserted.every((name) => check.reads(dn, name));
  const isHeld = check.holds(base);
  if (isHeld && mayAsk(base)) return [{ base, scope }];
  const below = (check.subtrees ?? []).filter((subtree) => subtree.isWithin(base));
  if (!isHeld && (scope === 'base' || below.length === 0))
    throw denied('the search base is out of your reach');
  const open = outermost(below.filter(mayAsk));
  if (scope === 'sub') return open.map((subtree) => ({ base: subtree, scope }));
  const children = scope === 'one' ? open.filter(({ parent }) => parent?.equals(base)) : [];
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
