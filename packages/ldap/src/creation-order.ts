/** Sorting of entries by creation. */
import { type CooperativeTask, Dn, mapSteps, runAtOnce, runCooperatively } from '@watchword/core/foundation';
import type { Entry, SearchRequest } from '@watchword/core/ports';
import type { Dialect } from './dialect.ts';

/** Entries that are processed before a yield: about a millisecond. */
const atOnce = 200;

/** Sorts the entries of a search by creation, the base first, and removes attributes that only the sort needs. Synchronous for a few entries. */
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
  const hidden = unrequested(search, dialect);
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

/** Returns a key that sorts as text: timestamps and the times of UUIDs have one length, and sequence numbers are padded. */
function creationKey({ attributes }: Entry, { creationOrder }: Dialect): string {
  return creationOrder
    .map((name) => String(attributes.get(name)?.[0] ?? ''))
    .map((value) => (value.includes('-') ? timeOf(value) : value.padStart(20, '0')))
    .join(' ');
}

/** Returns the time of a UUID version 1 (RFC 9562 §5.1), most significant digits first; '' for other versions. */
function timeOf(uuid: string): string {
  const [low, middle, high] = uuid.split('-');
  return high?.startsWith('1') ? `${high}${middle}${low}` : '';
}

/** Finds the base of a search: its DN is the shortest. */
function baseAmong(entries: readonly Entry[], { base, scope }: SearchRequest): Entry | undefined {
  if (scope !== 'sub' || entries.length === 0) return undefined;
  const shortest = entries.reduce((a, b) => (a.dn.length <= b.dn.length ? a : b));
  return Dn.tryParse(shortest.dn)?.equals(base) ? shortest : undefined;
}

/** Returns the attributes that the request does not name. */
function unrequested(
  { attributes }: SearchRequest,
  { creationOrder, returnsCreationOrder }: Dialect,
): readonly string[] {
  const requested = attributes?.map((name) => name.toLowerCase());
  if (requested?.includes('+') || (!requested && returnsCreationOrder)) return [];
  return creationOrder.filter((name) => !requested?.includes(name));
}

function without({ dn, attributes }: Entry, names: readonly string[]): Entry {
  const rest = new Map(attributes);
  for (const name of names) rest.delete(name);
  return { dn, attributes: rest };
}
