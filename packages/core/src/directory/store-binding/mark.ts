/**
 * Marks of stores on a directory (docs/decisions/0019-a-directory-remembers-its-store.md): id, epoch and last use of each store. They
 * reveal a second store, and a data folder that was restored from a copy. A mark is unencrypted user data, `Otp.Store=<base64>`.
 */

import type { Names } from '../../table/dialect.ts';
import { formatData, parseData } from '../data/data-text.ts';

export interface Mark {
  /** The random id of the store, 32 hexadecimal digits. */
  readonly store: string;
  /** The epoch, which rises in use. A store with a lower epoch than its mark was set back. */
  readonly epoch: number;
  /** The last use, to some minutes, in milliseconds since 1970. */
  readonly seen: number;
}

const key = 'Otp.Store';
const pattern = /^([0-9a-f]{32}):([0-9]{1,15}):([0-9]{1,12})$/;

/**
 * Reads the marks of an entry.
 * @param values of the data attribute; several after concurrent first marks
 */
export function readMarks(values: readonly string[], names: Names): readonly Mark[] {
  const written = values.map((value) => parseData([value], { names }).get(key) ?? '');
  const words = written.flatMap((text) => Buffer.from(text, 'base64').toString('latin1').split(' '));
  return words.flatMap((word) => {
    const [, store, epoch, seconds] = pattern.exec(word) ?? [];
    return store === undefined ? [] : [{ store, epoch: Number(epoch), seen: Number(seconds) * 1000 }];
  });
}

/** Replaces the marks in values, and keeps other data. */
export function writeMarks(
  values: readonly string[],
  marks: readonly Mark[],
  names: Names,
): readonly string[] {
  const words = marks.map(({ store, epoch, seen }) => `${store}:${epoch}:${Math.floor(seen / 1000)}`);
  const written = Buffer.from(words.join(' '), 'latin1').toString('base64');
  const before: ReadonlyMap<string, string | null> = parseData(values, { names });
  return formatData(new Map([...before, [key, marks.length === 0 ? null : written]]), { names });
}

/** Milliseconds without use after which a store is forgotten. */
const longestSilence = 2 * 86_400_000;

export const isInUse = ({ seen }: Mark, now: number): boolean => now - seen < longestSilence;

/** Merges marks: the latest of each store. */
export function latest(marks: readonly Mark[]): readonly Mark[] {
  const byStore = new Map<string, Mark>();
  for (const mark of marks) {
    const known = byStore.get(mark.store);
    if (!known || known.epoch < mark.epoch) byStore.set(mark.store, mark);
  }
  return [...byStore.values()];
}
