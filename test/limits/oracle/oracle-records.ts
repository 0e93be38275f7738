/** Oracle: the records of a user (docs/concepts/limits.md). Times are in milliseconds since 1970. */

export const second = 1000;
export const hour = 3600 * second;
export const day = 24 * hour;

/** Something that began and lasts for a while. */
export interface Span {
  start: number;
  /** Infinity: until somebody ends it. */
  length: number;
}

/** The lockout of a user in a scope: failures in a row, and the last refusal that came of them; length 0: none did yet. */
export interface Row extends Span {
  failures: number;
  level: number;
  /** When all of it is forgotten: 8 days after it was written. */
  end: number;
}

/** Sum over a time: a daily quota, the directory budget. */
export interface Sum extends Span {
  count: number;
  /** Of them under a refusal. */
  quiet?: number;
}

/** Wrong values in a row of one authenticator. */
export interface Wrong {
  count: number;
  /** Of them behind right passwords. */
  behind: number;
}

export class UserRecord {
  readonly rows = new Map<string, Row>();
  readonly days = new Map<string, Sum>();
  /** In the order in which they were written, each with the day of it. */
  known: { readonly place: string; readonly day: number }[] = [];
  readonly wrong = new Map<string, Wrong>();
  directory: Sum | undefined;
  block: Span | undefined;

  isKnown(place: string, now: number): boolean {
    return this.known.some((one) => one.place === place && dayOf(now) - one.day <= 30);
  }

  /** After a full success: the last 16 are kept. */
  learn(place: string, now: number): void {
    if (this.known.some((one) => one.place === place && one.day === dayOf(now))) return;
    this.known = [...this.known.filter((one) => one.place !== place), { place, day: dayOf(now) }];
    const [first] = this.known;
    if (first && this.known.length > 16) this.forget(first.place);
  }

  /** A place goes with what was counted there. */
  forget(place: string): void {
    this.known = this.known.filter((one) => one.place !== place);
    this.rows.delete(place);
    this.days.delete(place);
  }

  wrongOf(key: string): Wrong {
    const found = this.wrong.get(key) ?? { count: 0, behind: 0 };
    this.wrong.set(key, found);
    return found;
  }

  /** A clock that was set back: what began in the future is taken as begun now. */
  setBack(now: number): void {
    const spans = [...this.rows.values(), ...this.days.values(), this.directory, this.block];
    for (const span of spans) if (span) span.start = Math.min(span.start, now);
  }
}

export const dayOf = (now: number): number => Math.floor(now / day);

/** How long it still lasts, in milliseconds; 0: it is over. */
export const left = (span: Span | undefined, now: number): number =>
  span ? Math.max(0, span.start + span.length - now) : 0;

/** One more in a sum that begins with its first and lasts so long. */
export function added(
  sum: Sum | undefined,
  { by, now, length, quiet = 0 }: { by: number; now: number; length: number; quiet?: number },
): Sum {
  if (left(sum, now) === 0 || !sum) return { count: by, start: now, length, quiet };
  return { ...sum, count: sum.count + by, quiet: (sum.quiet ?? 0) + quiet };
}
