/** Text forms that syntaxes and matching rules share, RFC 4517 §3.3. */

const timeParts = /^(\d{4})(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)?)?(?:[.,](\d{1,30}))?(?:Z|([+-]\d\d)(\d\d)?)$/;

/**
 * Converts `YYYYMMDDHH[MM[SS]][.f](Z|±HH[MM])`, RFC 4517 §3.3.13, to an ISO time in UTC, which sorts by time; undefined if invalid. The
 * fraction is of the last unit given.
 */
export function generalizedTime(text: string): string | undefined {
  const match = timeParts.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zoneHours = '+00', zoneMinutes = '00'] =
    match;
  const local = `${year}-${month}-${day}T${hour}:${minute ?? '00'}:${second ?? '00'}.000Z`;
  const time = Date.parse(local);
  if (Number.isNaN(time) || new Date(time).toISOString() !== local) return undefined; // 30 February, hour 24
  const unit = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000;
  const sign = zoneHours.startsWith('-') ? -1 : 1;
  const zone = (Number(zoneHours) * 60 + sign * Number(zoneMinutes)) * 60_000;
  const part = Math.floor(Number(`0.${fraction}`) * unit);
  const finer = unit === 1000 ? fraction.slice(3).replace(/0+$/, '') : '';
  return new Date(time - zone + part).toISOString().slice(0, -1) + finer;
}

/** Returns the name of a Name And Optional UID, RFC 4517 §3.3.21, without the `#'0101'B`. */
export const withoutUid = (text: string): string => text.replace(/#'[01]*'B$/, '');
