/** Moments in settings and data: `YYYY-MM-DD HH:MM:SS` in UTC, the form that the contract uses everywhere. */

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
