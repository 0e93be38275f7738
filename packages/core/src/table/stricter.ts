/** The order of a setting's values from lenient to strict. */
import { parseTimestamp } from '../foundation/text/timestamp.ts';
import type { SettingRow } from './setting-row.ts';

/** Returns whether a value asks for more than the one in force. An invalid value on an entry fails closed, so it is kept. */
export function asksMore({ stricter }: SettingRow, inForce: string | undefined, wanted: string): boolean {
  if (stricter === undefined) return false;
  if (typeof stricter === 'object') return stricter[wanted]?.includes(inForce ?? '') ?? false;
  if (stricter === 'any') return inForce === undefined;
  if (stricter === 'smaller') return Number(wanted) < Number(inForce);
  if (stricter === 'larger') return Number(wanted) > Number(inForce);
  if (stricter === 'longer') return endless(wanted) > endless(inForce);
  if (stricter === 'shorter') return endless(wanted) < endless(inForce);
  const [now, then] = [parseTimestamp(inForce), parseTimestamp(wanted)];
  if (now === undefined || then === undefined) return then !== undefined;
  return stricter === 'later' ? then > now : then < now;
}

/**
 * Returns whether a value falls below a floor: the floor asks for more, the row says that the value is laxer, or the values have no
 * order and are not harmless.
 */
export function fallsBelow(row: SettingRow, floor: string | undefined, wanted: string): boolean {
  const { stricter, laxer, isHarmless, unsupported } = row;
  if (floor === wanted || isHarmless || unsupported) return false;
  if (stricter === undefined && laxer === undefined) return true;
  if (floor === undefined) return false;
  return stricter === 'any' || asksMore(row, wanted, floor) || laxer?.[floor]?.includes(wanted) === true;
}

/** Reads a number of which 0 means no end. */
const endless = (seconds: string | undefined): number => Number(seconds) || Number.POSITIVE_INFINITY;
