/** What people call the things that they sign in with: each name is kept with its token, security key or printed list. */
import type { DataChanges, StoredData } from '../directory/data/data.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { deviceKey, readDevices, writeDevice } from './device/device.ts';
import { listNameChange, readList } from './list/list.ts';
import { readToken, tokenChanges } from './token/token-data.ts';

/** What stays with a user until it is removed. */
export const lastingFactors = ['TOKEN', 'FIDO2', 'LIST'] as const;

export interface LastingFactor {
  readonly factor: (typeof lastingFactors)[number];
  /** 1 to 10; of a printed list there is one. */
  readonly slot: number;
}

/** In characters, as people count them. */
const longest = 64;
/** Controls, ends of lines, and what turns the direction of the text that stands after it. */
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** In NFC, so that a name is written in one way. @throws ServiceError `invalid_params` */
export function readFactorName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name !== '' && [...name].length <= longest && !forbidden.test(name)) return name;
  throw new ServiceError('invalid_params', {
    detail: `Parameter name is not 1 to ${longest} characters of one line`,
  });
}

/** What `swapData` is to write; undefined: there is no such factor. @param name undefined: it has none any more */
export function nameChanges(
  { factor, slot }: LastingFactor,
  name: string | undefined,
  stored: StoredData,
): DataChanges | undefined {
  switch (factor) {
    case 'TOKEN':
      return readToken(stored, slot) && tokenChanges(slot, { name: name ?? null });
    case 'FIDO2': {
      const device = readDevices(stored).find((one) => one.slot === slot);
      return device && new Map([[deviceKey(slot), writeDevice({ ...device, name })]]);
    }
    case 'LIST':
      return readList(stored) && listNameChange(name);
  }
}
