/** Slots of tokens and of devices: 1 to 10. */
export const slots: readonly number[] = Array.from({ length: 10 }, (_, index) => index + 1);

/** The first that is free; undefined: all are taken. */
export const freeSlot = (taken: readonly { readonly id: number }[]): number | undefined =>
  slots.find((slot) => !taken.some(({ id }) => id === slot));
