/** A bounded cache of the values that this node has read or written last. The database compares them, so a stale value costs a round trip. */
type CachedValue = Buffer | undefined;

/** Most keys; beyond it the least recently written one is dropped. */
const most = 4096;
/** The limit of a cached value in bytes. */
const longest = 8192;

export class ReadCache {
  readonly #values = new Map<string, CachedValue>();

  /** Returns undefined for a missing value, and for one that is not cached. */
  get(id: string): CachedValue {
    return this.#values.get(id);
  }

  set(id: string, value: CachedValue): void {
    this.#values.delete(id);
    if (value === undefined || value.length > longest) return;
    this.#values.set(id, value);
    if (this.#values.size <= most) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }
}
