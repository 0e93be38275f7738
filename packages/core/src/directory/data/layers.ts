/** Settings in layers, of which the stronger ones cover the weaker (docs/concepts/policies-and-settings.md#layers). */

/** By full names in our words. */
export type Settings = ReadonlyMap<string, string>;

/**
 * What follows from settings, made once as long as the same ones come again: most users have none of their own, and log in under
 * the presets. Settings are never changed once they are laid; what is in force for somebody else is another map.
 */
export function onceFor<T>(make: (settings: Settings) => T): (settings: Settings) => T {
  let last: { readonly settings: Settings; readonly made: T } | undefined;
  return (settings) => {
    if (last?.settings !== settings) last = { settings, made: make(settings) };
    return last.made;
  };
}

/** One map of all layers, the strongest last. Most layers are empty: of one alone nothing is copied. */
export function overlay(layers: readonly Settings[]): Settings {
  const [lowest = new Map<string, string>(), ...others] = layers.filter(({ size }) => size > 0);
  if (others.length === 0) return lowest;
  const all = new Map(lowest);
  for (const layer of others) for (const [name, value] of layer) all.set(name, value);
  return all;
}
