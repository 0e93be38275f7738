/** Oracle: the failure streak of a user in a scope, of the web services and of the Manager. */
import { day, hour, left, type Row, second } from './oracle-records.ts';

export interface RowRules {
  readonly maxTries: number;
  /** In seconds; 0: until an administrator unblocks. */
  readonly blockTime: number;
  /** The ground is a place that the user is known at. */
  readonly known: boolean;
}

/** As it stands now; undefined: there is none, or it is forgotten. */
export const alive = (row: Row | undefined, now: number): Row | undefined =>
  row && now < row.end ? row : undefined;

/** One more failure, and the refusal that it may start. */
export function failed(before: Row | undefined, rules: RowRules, now: number): Row {
  const row = alive(before, now) ?? { failures: 0, level: 0, start: now, length: 0, end: 0 };
  if (row.failures + 1 < rules.maxTries) return written({ ...row, failures: row.failures + 1 }, now);
  const level = levelOf(row, now);
  const refusal = { start: now, length: lengthOf(level, rules) };
  return written({ ...row, ...refusal, failures: 0, level: Math.min(9, level + 1) }, now);
}

/** A full success ends what is in a row, and nothing else. */
export const succeeded = (row: Row, now: number): Row =>
  row.failures > 0 ? written({ ...row, failures: 0 }, now) : row;

const written = (row: Row, now: number): Row => ({
  ...row,
  end: row.length === Number.POSITIVE_INFINITY ? row.length : now + 8 * day,
});

/** Each day without a refusal takes one away. */
function levelOf({ level, start, length }: Row, now: number): number {
  const quiet = Math.max(0, now - (start + length));
  return Math.max(0, level - Math.floor(quiet / day));
}

function lengthOf(level: number, { blockTime, known }: RowRules): number {
  if (blockTime === 0 && !known) return Number.POSITIVE_INFINITY;
  const first = (blockTime === 0 ? 300 : blockTime) * second;
  return Math.min(first * 2 ** level, known ? hour : day);
}

export const refusalLeft = (row: Row | undefined, now: number): number => left(alive(row, now), now);
