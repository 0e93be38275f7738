/** The text of data on an entry as far as it is sealed: which values are, under which key, and sealed anew. */

import { detailOf } from '../../foundation/errors/errors.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Names } from '../../table/dialect.ts';
import { decodeBase64 } from '../../table/schema/base64.ts';

/** In front of the base64 of what the key ring has sealed. */
export const sealMark = '{wcrypt}';

/** A value is bound to its entry, by the identifier that this has for ever, and to its key among the data, in our words. */
export const sealPlace = (entry: string, key: string): string => `${entry}:${key}`;

/** `App.Key={wcrypt}…` as it stands there: the word and the sign in front, and what is sealed. */
const sealedPair = /^(\s*([^=,]*?)\s*=\s*)\{wcrypt\}([^\s]*)\s*$/;

/** The id of the key of each sealed value; undefined: it is damaged. */
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

/** The same values, each sealed under the first key; what cannot be opened stays, and is a fault. */
export function resealData(
  values: readonly string[],
  view: SealedDataView,
): { readonly values: readonly string[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const anew = values.map((value) =>
    value
      .split(',')
      .map((pair) => resealPair(pair, view, (fault) => faults.push(fault)))
      .join(','),
  );
  return { values: anew, faults };
}

function resealPair(
  pair: string,
  { keys, names, entry }: SealedDataView,
  tell: (fault: string) => void,
): string {
  const [, front = '', word = '', sealed] = sealedPair.exec(pair) ?? [];
  if (sealed === undefined) return pair;
  try {
    const bytes = decodeBase64(sealed, word);
    const anew = keys.reseal(bytes, sealPlace(entry, names.oursDotted(word)));
    return anew === bytes ? pair : `${front}${sealMark}${Buffer.from(anew).toString('base64')}`;
  } catch (error) {
    tell(`${word}: ${detailOf(error)}`);
    return pair;
  }
}
