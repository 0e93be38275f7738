/** Timestamps as text: `YYYY-MM-DD HH:MM:SS` in UTC, the format of all interfaces. */

/** @param milliseconds since 1970 */
export function formatTimestamp(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/**
 * Reads a moment. A malformed text is `NaN`, which is neither before nor after any number: comparisons must fail closed.
 * @returns milliseconds since 1970; undefined where the text is empty or missing
 */
export function parseTimestamp(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`)
    : Number.NaN;
}

/** Returns whether a text is an existing moment in this form; {@link parseTimestamp} also takes 30 February, as a day of March. */
export function isTimestamp(text: string): boolean {
  const moment = parseTimestamp(text);
  return moment !== undefined && !Number.isNaN(moment) && formatTimestamp(moment) === text;
}
