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
 * Makes again only what was not made last: of an argument that nearly always comes many times in a row.
 * @param make pure @param isSame whether the same is made of both
 */
export function ofLast<K, V>(make: (of: K) => V, isSame: (a: K, b: K) => boolean = Object.is): (of: K) => V {
  let last: { readonly of: K; readonly made: V } | undefined;
  return (of) => {
    if (!last || !isSame(last.of, of)) last = { of, made: make(of) };
    return last.made;
  };
}

/**
 * A bounded cache keyed by string, of values that are believed for a short time only. Keeps them in two generations: the older one
 * goes as soon as the younger one is as old as a value may become. So memory holds what was kept within twice that time, and not
 * as many values as the bound allows: those of users who log in once an hour would fill it.
 */
export class ShortLived<V> {
  readonly #most: number;
  readonly #lasts: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  /** When the younger generation began, in milliseconds since 1970. */
  #since = Number.NEGATIVE_INFINITY;

  /** @param terms.most values at a time @param terms.lasts milliseconds for which a value is there at least, unless the cache is full */
  constructor({ most, lasts }: { readonly most: number; readonly lasts: number }) {
    this.#most = most;
    this.#lasts = lasts;
  }

  /** The caller judges the age of the value: it may be up to twice as old as values last. */
  get(key: string, now: number): V | undefined {
    this.#age(now);
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** @returns the value */
  keep(key: string, value: V, now: number): V {
    this.#age(now);
    if (this.#young.size + this.#old.size >= this.#most) this.#begin(now);
    this.#young.set(key, value);
    return value;
  }

  /** Values in memory. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #age(now: number): void {
    const age = now - this.#since;
    if (age >= 0 && age < this.#lasts) return;
    if (age >= this.#lasts && age < 2 * this.#lasts) this.#begin(this.#since + this.#lasts, this.#young);
    // A clock that was set back says nothing of how old they are.
    else this.#begin(now);
  }

  #begin(since: number, old = new Map<string, V>()): void {
    this.#old = old;
    this.#young = new Map();
    this.#since = since;
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
