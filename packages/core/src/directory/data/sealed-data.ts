/** Sealed values in the data of an entry: their keys, and resealing. */

import { detailOf } from '../../foundation/errors/errors.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Names } from '../../table/dialect.ts';
import { decodeBase64 } from '../../table/schema/base64.ts';

/** The mark before the base64 of a sealed value. */
export const sealedPrefix = '{wcrypt}';

/** Returns the place that a value is bound to. @param entry permanent identifier @param key in our words */
export const sealContext = (entry: string, key: string): string => `${entry}:${key}`;

/** A pair `App.Key={wcrypt}…`: prefix, key and sealed value. */
const sealedPair = /^(\s*([^=,]*?)\s*=\s*)\{wcrypt\}([^\s]*)\s*$/;

/** Returns the key id of each sealed value; undefined for a damaged one. */
export function keysOfData(values: readonly string[], keys: KeyRing): readonly (string | undefined)[] {
  return values
    .flatMap((value) => value.split(','))
    .flatMap((pair) => {
      const [, , , sealed] = sealedPair.exec(pair) ?? [];
      return sealed === undefined ? [] : [keys.keyIdOf(Buffer.from(sealed, 'base64'))];
    });
}

export interface SealedDataView {
  readonly keys: KeyRing;
  readonly names: Names;
  /** The identifier of the entry. */
  readonly entry: string;
}

/** Reseals values under the first key. A value that cannot be opened is unchanged, and reported as a fault. */
export function resealData(
  values: readonly string[],
  view: SealedDataView,
): { readonly values: readonly string[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const resealed = values.map((value) =>
    value
      .split(',')
      .map((pair) => resealPair(pair, view, (fault) => faults.push(fault)))
      .join(','),
  );
  return { values: resealed, faults };
}

function resealPair(
  pair: string,
  { keys, names, entry }: SealedDataView,
  report: (fault: string) => void,
): string {
  const [, front = '', word = '', sealed] = sealedPair.exec(pair) ?? [];
  if (sealed === undefined) return pair;
  try {
    const bytes = decodeBase64(sealed, word);
    const resealed = keys.reseal(bytes, sealContext(entry, names.oursDotted(word)));
    return resealed === bytes ? pair : `${front}${sealedPrefix}${Buffer.from(resealed).toString('base64')}`;
  } catch (error) {
    report(`${word}: ${detailOf(error)}`);
    return pair;
  }
}
