/**
 * What the nodes of one installation share for a while: sessions, claims, throttles, counters. Keys are short
 * ASCII texts, `family:rest`. Every call is atomic, and durable when it is answered.
 */
export interface Store {
  /** The value, or undefined if there is none or its time is over. */
  get(key: string): Promise<Uint8Array | undefined>;

  /** Sets or replaces a value for `seconds`. */
  put(key: string, value: Uint8Array, seconds: number): Promise<void>;

  remove(key: string): Promise<void>;

  /** Gets a value and removes it in one step: of many who take it, one gets it. */
  take(key: string): Promise<Uint8Array | undefined>;

  /**
   * Claims a number: true, and from then on the highest, if it is above all that were claimed under this key;
   * else false. Of many who claim the same number, one gets it. Forgotten `seconds` after the last one that
   * was granted.
   * @param value a non-negative safe integer
   */
  claim(key: string, value: number, seconds: number): Promise<boolean>;

  /** The highest number claimed under this key. */
  claimed(key: string): Promise<number | undefined>;

  /**
   * Adds `by` to a counter and returns what it became; a counter that is not there (any more) begins at 0
   * and lives for `seconds` from then on, however often it is counted up. With `limit`, a step that would
   * take it above the limit is not made, and undefined is returned. It never falls below 0, and one that is back
   * at 0 is not there any more. A step of 0 only reads, and makes no counter.
   */
  count(key: string, step: CountStep): Promise<number | undefined>;

  /** Throws `unavailable` if the store does not answer. */
  probe(): Promise<void>;

  close(): Promise<void>;
}

export interface CountStep {
  readonly by: number;
  readonly seconds: number;
  readonly limit?: number;
}
