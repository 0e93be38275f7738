/**
 * Bindings of stores on a directory (docs/decisions/0019-a-directory-remembers-its-store.md): id, epoch and last use of each store. They
 * reveal a second store, and a data folder that was restored from a copy. A binding is unencrypted user data, `Otp.Store=<base64>`.
 */

import type { Names } from '../../table/dialect.ts';
import { formatData, parseData } from '../data/data-text.ts';

export interface StoreBinding {
  /** The random id of the store, 32 hexadecimal digits. */
  readonly store: string;
  /** The epoch, which rises in use. A store with a lower epoch than its binding was set back. */
  readonly epoch: number;
  /** The last use, to some minutes, in milliseconds since 1970. */
  readonly seen: number;
}

const key = 'Otp.Store';
const pattern = /^([0-9a-f]{32}):([0-9]{1,15}):([0-9]{1,12})$/;

/**
 * Reads the bindings of an entry.
 * @param values of the data attribute; several after concurrent first bindings
 */
export function readBindings(values: readonly string[], names: Names): readonly StoreBinding[] {
  const written = values.map((value) => parseData([value], { names }).get(key) ?? '');
  const words = written.flatMap((text) => Buffer.from(text, 'base64').toString('latin1').split(' '));
  return words.flatMap((word) => {
    const [, store, epoch, seconds] = pattern.exec(word) ?? [];
    return store === undefined ? [] : [{ store, epoch: Number(epoch), seen: Number(seconds) * 1000 }];
  });
}

/** Replaces the bindings in values, and keeps other data. */
export function writeBindings(
  values: readonly string[],
  bindings: readonly StoreBinding[],
  names: Names,
): readonly string[] {
  const words = bindings.map(({ store, epoch, seen }) => `${store}:${epoch}:${Math.floor(seen / 1000)}`);
  const written = Buffer.from(words.join(' '), 'latin1').toString('base64');
  const before: ReadonlyMap<string, string | null> = parseData(values, { names });
  return formatData(new Map([...before, [key, bindings.length === 0 ? null : written]]), { names });
}

/** Milliseconds without use after which a store is forgotten. */
const longestSilence = 2 * 86_400_000;

export const isInUse = ({ seen }: StoreBinding, now: number): boolean => now - seen < longestSilence;

/** Merges bindings: the latest of each store. */
export function latest(bindings: readonly StoreBinding[]): readonly StoreBinding[] {
  const byStore = new Map<string, StoreBinding>();
  for (const binding of bindings) {
    const known = byStore.get(binding.store);
    if (!known || known.epoch < binding.epoch) byStore.set(binding.store, binding);
  }
  return [...byStore.values()];
}
