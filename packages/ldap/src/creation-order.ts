/** Entries in the order of their creation, whatever order a server gives them in. */
import { type CooperativeTask, Dn, mapSteps, runAtOnce, runCooperatively } from '@watchword/core/foundation';
import type { Entry, SearchRequest } from '@watchword/core/ports';
import type { Dialect } from './dialect.ts';

/** Entries that are looked at before others have their turn: a millisecond or so. */
const atOnce = 200;

/**
 * The entries of a search by their creation, the base first, with no attribute that only the order needs; at once where they are
 * few.
 */
export function inCreationOrder(
  entries: readonly Entry[],
  search: SearchRequest,
  dialect: Dialect,
): readonly Entry[] | Promise<readonly Entry[]> {
  const work = ordered(entries, search, dialect);
  return entries.length < atOnce ? runAtOnce(work) : runCooperatively(work);
}

function* ordered(
  entries: readonly Entry[],
  search: SearchRequest,
  dialect: Dialect,
): CooperativeTask<readonly Entry[]> {
  const hidden = unasked(search, dialect);
  if (entries.length < 2) return entries.map((entry) => without(entry, hidden));
  const base = baseAmong(entries, search);
  const keyed = [
    ...(yield* mapSteps(entries, atOnce, (entry) => ({
      entry,
      key: entry === base ? '' : creationKey(entry, dialect),
    }))),
  ];
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return yield* mapSteps(keyed, atOnce, ({ entry }) => without(entry, hidden));
}

/** Sorts by text: time stamps and the times in UUIDs have one length, sequence numbers are made so. */
function creationKey({ attributes }: Entry, { order }: Dialect): string {
  return order
    .map((name) => String(attributes.get(name)?.[0] ?? ''))
    .map((value) => (value.includes('-') ? timeOf(value) : value.padStart(20, '0')))
    .join(' ');
}

/** The time in a UUID of version 1 (RFC 9562 §5.1), most significant digits first; nothing for other versions. */
function timeOf(uuid: string): string {
  const [low, middle, high] = uuid.split('-');
  return high?.startsWith('1') ? `${high}${middle}${low}` : '';
}

/** The base of a search, if it was found: every other name ends with its name, so it is the shortest. */
function baseAmong(entries: readonly Entry[], { base, scope }: SearchRequest): Entry | undefined {
  if (scope !== 'sub' || entries.length === 0) return undefined;
  const shortest = entries.reduce((a, b) => (a.dn.length <= b.dn.length ? a : b));
  return Dn.tryParse(shortest.dn)?.equals(base) ? shortest : undefined;
}

function unasked({ attributes }: SearchRequest, { order, orderUnasked }: Dialect): readonly string[] {
  const asked = attributes?.map((name) => name.toLowerCase());
  if (asked?.includes('+') || (!asked && orderUnasked)) return [];
  return order.filter((name) => !asked?.includes(name));
}

function without({ dn, attributes }: Entry, names: readonly string[]): Entry {
  const rest = new Map(attributes);
  for (const name of names) rest.delete(name);
  return { dn, attributes: rest };
}
