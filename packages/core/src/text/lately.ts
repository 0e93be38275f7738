/**
 * What was made lately of a text that nearly always comes again: the name of an entry that is at work, the address of a
 * caller. So many at most, and then it begins anew. What is handed out is shared: nobody may change it.
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
