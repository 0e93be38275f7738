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

/** The lockout of a user in a scope: failures in a row, and the last lockout after them; length 0: none yet. */
export interface FailureStreak extends Span {
  failures: number;
  level: number;
  /** When all of it is forgotten: 8 days after it was written. */
  end: number;
}

/** Sum over a time: a daily quota, the directory budget. */
export interface Sum extends Span {
  count: number;
  /** The number of combined proofs among them. */
  combined?: number;
}

/** Wrong values in a row of one authenticator. */
export interface Wrong {
  count: number;
  /** The number of those after right passwords. */
  afterPassword: number;
}

export class UserRecord {
  readonly streaks = new Map<string, FailureStreak>();
  readonly quotas = new Map<string, Sum>();
  /** In the order in which they were written, each with the day of it. */
  known: { readonly source: string; readonly day: number }[] = [];
  readonly wrong = new Map<string, Wrong>();
  directory: Sum | undefined;
  block: Span | undefined;

  isKnown(source: string, now: number): boolean {
    return this.known.some((one) => one.source === source && dayOf(now) - one.day <= 30);
  }

  /** After a full success: the last 16 are kept. */
  learn(source: string, now: number): void {
    if (this.known.some((one) => one.source === source && one.day === dayOf(now))) return;
    this.known = [...this.known.filter((one) => one.source !== source), { source, day: dayOf(now) }];
    const [first] = this.known;
    if (first && this.known.length > 16) this.forget(first.source);
  }

  /** Forgets a source, with what was counted there. */
  forget(source: string): void {
    this.known = this.known.filter((one) => one.source !== source);
    this.streaks.delete(source);
    this.quotas.delete(source);
  }

  wrongOf(key: string): Wrong {
    const found = this.wrong.get(key) ?? { count: 0, afterPassword: 0 };
    this.wrong.set(key, found);
    return found;
  }

  /** A clock that was set back: what began in the future is taken as begun now. */
  setBack(now: number): void {
    const spans = [...this.streaks.values(), ...this.quotas.values(), this.directory, this.block];
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
  { by, now, length, combined = 0 }: { by: number; now: number; length: number; combined?: number },
): Sum {
  if (left(sum, now) === 0 || !sum) return { count: by, start: now, length, combined };
  return { ...sum, count: sum.count + by, combined: (sum.combined ?? 0) + combined };
}
