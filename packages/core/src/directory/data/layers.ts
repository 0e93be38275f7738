/** Settings in layers, of which the stronger ones cover the weaker (concepts.md §3). */

/** By full names in our words. */
export type Settings = ReadonlyMap<string, string>;

/** One map of all layers, the strongest last. */
export const overlay = (layers: readonly Settings[]): Settings =>
  new Map(layers.flatMap((layer) => [...layer]));
