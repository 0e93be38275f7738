/** Counts sealed values by key, so that operators know when an old key can be removed. */

import type { SealedCollection } from '../../ports/store/sealed-collection.ts';
import type { KeyFacts } from '../../table/dialect.ts';

/** The id of a key → how many values are under it; undefined: values that are damaged. */
export type KeyCounts = ReadonlyMap<string | undefined, number>;

/** Goes through everything. @throws ServiceError if a place cannot be read */
export async function countByKey(places: readonly SealedCollection[]): Promise<KeyCounts> {
  const counts = new Map<string | undefined, number>();
  for (const place of places) {
    for await (const page of place.items())
      for (const key of page.flatMap(({ keys }) => keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Those of the ring in their order, then others that something is under. @param ring the ids of its keys */
export function keyFacts(counts: KeyCounts, ring: readonly string[]): readonly KeyFacts[] {
  const inRing = ring.map((id, place) => {
    const use = place === 0 ? ('encrypts' as const) : ('decrypts' as const);
    return { id, use, values: counts.get(id) ?? 0 };
  });
  const missing = [...counts].flatMap(([id = 'damaged', values]) =>
    ring.includes(id) ? [] : [{ id, use: 'missing' as const, values }],
  );
  return [...inRing, ...missing];
}
