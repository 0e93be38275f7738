/** Names that users give their factors, kept with each token, security key or printed list. */
import { deviceKey, readDevices, writeDevice } from '../authenticators/device.ts';
import { listNameChange, readList } from '../authenticators/lists.ts';
import { readToken, tokenChanges } from '../authenticators/token-data.ts';
import type { DataChanges, StoredData } from '../directory/data/data.ts';
import { ServiceError } from '../foundation/errors/errors.ts';

/** Factors that stay with a user until they are removed. */
export const lastingFactors = ['TOKEN', 'FIDO2', 'LIST'] as const;

export interface LastingFactor {
  readonly factor: (typeof lastingFactors)[number];
  /** 1 to 10; a user has one printed list. */
  readonly slot: number;
}

/** Characters, as people count them. */
const longest = 64;
/** Controls, ends of lines, and marks that turn the direction of the text after them. */
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Reads a name into NFC, so that each name has one spelling. @throws ServiceError `invalid_params` */
export function readFactorName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name !== '' && [...name].length <= longest && !forbidden.test(name)) return name;
  throw new ServiceError('invalid_params', {
    detail: `Parameter name is not 1 to ${longest} characters of one line`,
  });
}

/** Returns what `swapData` writes to name a factor. @param name undefined removes the name @returns undefined without such a factor */
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
