/**
 * Entry records: texts of entries whose directory has no attributes for them. Each is stored under the permanent identifier of its entry
 * (entryUUID, objectGUID). So it follows a rename, and a new entry of the same name does not get it.
 * @see docs/concepts/dialects-and-names.md#schema-extension
 * @example
 * ```ts
 * import { openEmbedded } from '@watchword/engines';
 *
 * const engines = await openEmbedded('./data', { base: 'dc=example,dc=org' });
 * const entry = '3f0c8a52-6d1b-4c9e-9a57-2f6f3f6f8b10';
 * console.log(await engines.entryRecords.swap(entry, { before: undefined, after: 'a text' })); // true
 * console.log((await engines.entryRecords.read([entry])).get(entry)); // a text
 * await engines.close();
 * ```
 */
export interface EntryRecords {
  /** The texts of those entries that have one. */
  read(entries: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /**
   * Compare-and-swap: puts `after` in the place of `before`, undefined standing for no text. False, and nothing
   * done, if something else than `before` is there. Of many who begin at the same text, one gets true. Durable
   * when it resolves.
   */
  swap(entry: string, change: RecordChange): Promise<boolean>;

  /** Yields all of them, a few at a time and in no order: entry → text. */
  all(): AsyncIterable<ReadonlyMap<string, string>>;

  close(): Promise<void>;
}

export interface RecordChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}
