/** Time, as an input like any other. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, the form that the contract uses everywhere. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}
