/**
 * What a directory remembers of the stores that it is used with, so that two of them do not take the same one-time
 * password, and a data folder that was set back is noticed: the id of each store, its epoch, and when it was last seen.
 * Kept as user data are, `Otp.Store=<base64>`, in clear: it holds no secret, and whoever may forge it may write tokens.
 */

import type { Names } from '../../table/dialect.ts';
import { formatData, parseData } from '../data/data-text.ts';

export interface Mark {
  /** 32 hexadecimal digits, made at random with the store. */
  readonly store: string;
  /** Rises while the store is used: one that is lower than the directory's was set back. */
  readonly epoch: number;
  /** When the store was used last, to within some minutes, in milliseconds since 1970. */
  readonly seen: number;
}

const key = 'Otp.Store';
const pattern = /^([0-9a-f]{32}):([0-9]{1,15}):([0-9]{1,12})$/;

/**
 * @param values those of the data attribute of an entry. Two that leave their first mark at the same moment add a value
 * each: each of them is looked at.
 */
export function readMarks(values: readonly string[], names: Names): readonly Mark[] {
  const written = values.map((value) => parseData([value], { names }).get(key) ?? '');
  const words = written.flatMap((text) => Buffer.from(text, 'base64').toString('latin1').split(' '));
  return words.flatMap((word) => {
    const [, store, epoch, seconds] = pattern.exec(word) ?? [];
    return store === undefined ? [] : [{ store, epoch: Number(epoch), seen: Number(seconds) * 1000 }];
  });
}

/** The values with these marks in the place of those that were there; what else is kept in them stays. */
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

/** A store that nobody has used for so long is no more; in milliseconds. */
const longestSilence = 2 * 86_400_000;

export const isInUse = ({ seen }: Mark, now: number): boolean => now - seen < longestSilence;

/** The marks of several places, or of several moments: of each store the latest. */
export function latest(marks: readonly Mark[]): readonly Mark[] {
  const byStore = new Map<string, Mark>();
  for (const mark of marks) {
    const known = byStore.get(mark.store);
    if (!known || known.epoch < mark.epoch) byStore.set(mark.store, mark);
  }
  return [...byStore.values()];
}
