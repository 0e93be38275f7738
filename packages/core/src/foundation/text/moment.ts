/** Moments: `YYYY-MM-DD HH:MM:SS` in UTC, the form that the interface uses everywhere. */

/** @param milliseconds since 1970 */
export function formatTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/**
 * Milliseconds since 1970; undefined: there is none. A text that is no moment is `NaN`, which is neither before
 * nor after any other: whoever compares must let it close, not open.
 */
export function readMoment(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`)
    : Number.NaN;
}

/** A moment that exists, in exactly this form: what {@link readMoment} takes as well rolls 30 February into March. */
export function isMoment(text: string): boolean {
  const moment = readMoment(text);
  return moment !== undefined && !Number.isNaN(moment) && formatTime(moment) === text;
}
