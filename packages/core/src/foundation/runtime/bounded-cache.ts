/**
 * Bounded caches (docs/decisions/0037-caches-are-bounded-and-short.md). Values are shared between callers, who must not change them.
 */

/** A cache keyed by string, cleared when it is full. */
export class TextCache<V> {
  readonly #values = new Map<string, V>();
  readonly #capacity: number;

  /** @param capacity values at a time */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** @returns the value */
  keep(key: string, value: V): V {
    if (this.#values.size >= this.#capacity) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}

/**
 * Memoizes a function for its last argument only.
 * @param make a pure function @param isSame whether two arguments have the same result
 */
export function memoizeLast<K, V>(
  make: (argument: K) => V,
  isSame: (a: K, b: K) => boolean = Object.is,
): (argument: K) => V {
  let last: { readonly argument: K; readonly result: V } | undefined;
  return (argument) => {
    if (!last || !isSame(last.argument, argument)) last = { argument, result: make(argument) };
    return last.result;
  };
}

/**
 * A cache keyed by string whose values are dropped after a time. It has two generations: the older is dropped when the younger reaches the
 * lifetime. Memory so holds the keys of at most two lifetimes, even where the capacity would allow more.
 */
export class ExpiringCache<V> {
  readonly #capacity: number;
  readonly #lifetime: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  /** The begin of the younger generation, in milliseconds since 1970. */
  #since = Number.NEGATIVE_INFINITY;

  /**
   * @param terms.capacity values at a time; the cache is cleared when it is full
   * @param terms.lifetime milliseconds after which a value may be dropped; after twice the time it is
   */
  constructor({ capacity, lifetime }: { readonly capacity: number; readonly lifetime: number }) {
    this.#capacity = capacity;
    this.#lifetime = lifetime;
  }

  /**
   * Returns a value that may be up to twice the lifetime old: the caller checks its age.
   * @param now milliseconds since 1970
   */
  get(key: string, now: number): V | undefined {
    this.#age(now);
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** @param now milliseconds since 1970 @returns the value */
  keep(key: string, value: V, now: number): V {
    this.#age(now);
    if (this.size >= this.#capacity) this.#begin(now);
    this.#young.set(key, value);
    return value;
  }

  /** The number of values in memory. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #age(now: number): void {
    const age = now - this.#since;
    if (age >= 0 && age < this.#lifetime) return;
    if (age >= this.#lifetime && age < 2 * this.#lifetime)
      this.#begin(this.#since + this.#lifetime, this.#young);
    // Both generations are too old, or the clock was set back and their age is unknown.
    else this.#begin(now);
  }

  #begin(since: number, old = new Map<string, V>()): void {
    this.#old = old;
    this.#young = new Map();
    this.#since = since;
  }
}

/**
 * Memoizes a function of a frozen list, for the last `about` of each list. Lists that are not frozen are not memoized: they may change.
 * @param make a pure function
 */
export function memoizeFrozen<T, About extends object | void = void>(
  make: (list: readonly string[], about: About) => T,
): (list: readonly string[], about: About) => T {
  const known = new WeakMap<readonly string[], { readonly about: About; readonly result: T }>();
  return (list, about) => {
    const before = known.get(list);
    if (before && before.about === about) return before.result;
    const result = make(list, about);
    if (Object.isFrozen(list)) known.set(list, { about, result });
    return result;
  };
}
