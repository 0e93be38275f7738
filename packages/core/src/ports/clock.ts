/**
 * Begun at a time that has not come yet: the clock was ahead then, and how long ago that was nobody knows. A minute is
 * what the clocks of nodes may differ by. Both in milliseconds since 1970.
 */
export const isAhead = (begun: number, now: number): boolean => begun - now > 60_000;

/** Time, as an input like any other. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;

  /** Runs a task again and again until the function returned is called; does not keep the process alive. */
  every(milliseconds: number, task: () => void): () => void;
}
