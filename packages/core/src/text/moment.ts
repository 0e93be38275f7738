/** Moments: `YYYY-MM-DD HH:MM:SS` in UTC, the form that the contract uses everywhere. */

/** The second that was written last: what happens together is told with the same one. */
let last = { second: 0, text: '1970-01-01 00:00:00' };

/** @param milliseconds since 1970 */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== last.second)
    last = { second, text: new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ') };
  return last.text;
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
