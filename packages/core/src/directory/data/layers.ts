/** Layers of settings (docs/concepts/policies-and-settings.md#layers). */

/** Settings by full names in our words; never changed after they are made. */
export type Settings = ReadonlyMap<string, string>;

/**
 * Memoizes a function of settings by identity: most users have none of their own, and share the presets.
 */
export function onceFor<T>(make: (settings: Settings) => T): (settings: Settings) => T {
  let last: { readonly settings: Settings; readonly made: T } | undefined;
  return (settings) => {
    if (last?.settings !== settings) last = { settings, made: make(settings) };
    return last.made;
  };
}

/** Merges layers, the strongest last. A single non-empty layer is not copied. */
export function overlay(layers: readonly Settings[]): Settings {
  const [lowest = new Map<string, string>(), ...others] = layers.filter(({ size }) => size > 0);
  if (others.length === 0) return lowest;
  const all = new Map(lowest);
  for (const layer of others) for (const [name, value] of layer) all.set(name, value);
  return all;
}
