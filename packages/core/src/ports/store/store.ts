/**
 * The port of values that the nodes of one installation share for a limited time: sessions, claims, limits, counters.
 * Keys are short ASCII texts, `family:rest`. Every call is atomic, and durable when it is answered.
 * @see docs/concepts/stores-and-nodes.md#store
 * @example
 * ```ts
 * import { openEmbedded } from '@watchword/engines';
 *
 * const engines = await openEmbedded('./data', { base: 'dc=example,dc=org' });
 * await engines.ephemeral.put('demo:one', Buffer.from('a value'), 60);
 * const taken = await engines.ephemeral.take('demo:one');
 * console.log(Buffer.from(taken ?? []).toString()); // a value
 * console.log(await engines.ephemeral.take('demo:one')); // undefined
 * await engines.close();
 * ```
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
   * was granted, or up to a thousandth of that earlier.
   * @param value a non-negative safe integer
   */
  claim(key: string, value: number, seconds: number): Promise<boolean>;

  /** The highest number claimed under this key. */
  claimed(key: string): Promise<number | undefined>;

  /**
   * Adds `by` to a counter and returns what it became; a counter that is not there (any more) begins at 0
   * and lives for `seconds` from then on, however often it is counted up; of a clock that is set back meanwhile, for no
   * longer than `seconds` from the next step on. With `limit`, a step that would
   * take it above the limit is not made, and undefined is returned. It never falls below 0, and one that is back
   * at 0 is not there any more. A step of 0 only reads, and makes no counter.
   */
  count(key: string, step: CountStep): Promise<number | undefined>;

  /**
   * Compare-and-swap: puts `after` in the place of `before`, undefined standing for no value. What was there keeps its
   * end, a new value lives for `seconds`. False, and nothing done, if something else than `before` is there.
   */
  swap(key: string, change: ValueChange): Promise<boolean>;

  /**
   * The values of a family, a few at a time and in no order, for who goes through all of them. One that comes or
   * goes meanwhile may be among them or not.
   * @param most values of a page
   */
  family(name: string, most?: number): AsyncIterable<readonly StoredValue[]>;

  /**
   * Changes a value by what it was, in one step.
   * @param change pure, and it throws nothing: a store may call it more than once
   * @returns the `result` of the change that was made
   */
  update<T>(key: string, change: (before: Uint8Array | undefined) => Update<T>): Promise<T>;

  /**
   * Writes something, at most once a second for all who ask, and throws `unavailable` if it cannot be kept.
   * @returns the bytes that are free where it is kept; undefined: the store does not tell
   */
  probe(): Promise<number | undefined>;

  close(): Promise<void>;
}

export interface CountStep {
  readonly by: number;
  readonly seconds: number;
  readonly limit?: number;
}

export interface ValueChange {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
  readonly seconds: number;
}

export interface StoredValue {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Change of a value. */
export interface Update<T> {
  readonly result: T;
  /** The value from now on and for how many seconds; null: none. Left out: all stays as it is, its time too. */
  readonly after?: { readonly value: Uint8Array; readonly seconds: number } | null;
}

/** The scope of a request in the store: one time limit, and one version of the run-time configuration. */
export interface Patience {
  /**
   * Runs the work of one request: all its steps in the store end within one deadline. Work within such work shares the deadline.
   * What is begun by it and goes on after its end has the time of steps that belong to no request.
   * @param version the version of the run-time configuration that the work judges by; left out: it is not compared
   * @throws OtherVersion if another one is in force when the work begins its first step; no step of the work has been made then
   */
  during<T>(work: () => Promise<T>, version?: string): Promise<T>;

  /** Runs work as {@link during} does, with a deadline of its own also within other work: for each of many calls in one request. */
  apart<T>(work: () => Promise<T>): Promise<T>;
}

/** Patience of an engine without one: each step ends within its own time, and there is one configuration. */
export const unbounded: Patience = {
  during: (work) => work(),
  apart: (work) => work(),
};

/** The lifetime of a value that does not expire, in seconds: a hundred years. */
export const endlessSeconds = 100 * 365 * 86_400;

/** The key of the number of the run-time configuration in force; without a value: {@link noVersion}. */
export const versionKey = 'configuration:version';

/** The version before the first change at run time. */
export const noVersion = '0';

/** Reads the version in a value of {@link versionKey}. */
export const versionIn = (value: Uint8Array | undefined): string =>
  value === undefined ? noVersion : Buffer.from(value).toString('latin1');

/** The error of a request that was begun under another version of the run-time configuration than the one in force. */
export class OtherVersion extends Error {
  override readonly name = 'OtherVersion';
  /** The version in force. */
  readonly version: string;

  constructor(version: string) {
    super('another version of the configuration is in force');
    this.version = version;
  }
}
