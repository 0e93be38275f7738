/** Reads a counter or claim, which is decimal text. */
export const numberOf = (value: Buffer | undefined): number | undefined =>
  value && Number(value.toString('latin1'));
export const textOf = (value: number): Buffer => Buffer.from(String(value), 'latin1');

/** Returns whether a value is the expected one. */
export const isSame = (found: Buffer | undefined, before: Uint8Array | undefined): boolean =>
  found ? before !== undefined && found.equals(before) : before === undefined;
