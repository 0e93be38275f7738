/**
 * What comes again is made once. {@link Lately}: of a text that nearly always comes again, the name of an entry that is at work, the
 * address of a caller. So many at most, and then it begins anew. What is handed out is shared: nobody may change it.
 */
export class Lately<V> {
  readonly #known = new Map<string, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): V | undefined {
    return this.#known.get(text);
  }

  /** @returns the value */
  keep(text: string, value: V): V {
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(text, value);
    return value;
  }
}

/**
 * What follows from a list that is made once for all who ask, and is frozen: made once too, as long as it is about the same. A
 * login asks with the same lists each time. Of any other list it is made anew.
 */
export function ofFrozen<T, About extends object | void = void>(
  make: (list: readonly string[], about: About) => T,
): (list: readonly string[], about: About) => T {
  const known = new WeakMap<readonly string[], { readonly about: About; readonly made: T }>();
  return (list, about) => {
    const before = known.get(list);
    if (before && before.about === about) return before.made;
    const made = make(list, about);
    if (Object.isFrozen(list)) known.set(list, { about, made });
    return made;
  };
}
