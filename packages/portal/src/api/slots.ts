/** Places of tokens and of devices: 1 to 10 (manager.md §4). */
const most = 10;

/** The first that is free; undefined: all are taken. */
export function freeSlot(taken: readonly { readonly id: number }[]): number | undefined {
  const slots = Array.from({ length: most }, (_, index) => index + 1);
  return slots.find((slot) => !taken.some(({ id }) => id === slot));
}
