/** A place in which values sealed by the key ring are stored, so that they can be counted by key and re-encrypted. */
export interface SealedCollection {
  /** Name for people: `entries below dc=example,dc=com`. */
  readonly name: string;

  /** Yields every holder of sealed values, a few at a time and in no order. */
  items(): AsyncIterable<readonly SealedItem[]>;
}

export interface SealedItem {
  /** The id of the key of each value; undefined: the value is damaged. */
  readonly keys: readonly (string | undefined)[];

  /** Returns the name for people: the DN of an entry, else what it is. */
  name(): Promise<string>;

  /**
   * Seals what is there by now under the first key of the ring, by compare-and-swap: whatever somebody else writes
   * meanwhile is not lost. What is under the first key already is left alone.
   * @returns a sentence for each value that could not be opened, and was left as it is
   * @throws ServiceError if it cannot be written
   */
  reseal(): Promise<readonly string[]>;
}
