/**
 * The clock for the age of events (docs/decisions/0044-ages-are-measured-by-clocks-that-do-not-leap.md). A leap of more than a day may be a
 * wrong clock, so events are not old until the clock has run for a day after it. The PostgreSQL store does the same in SQL.
 */
export interface AgeClock {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The time after a leap; left out without a leap. */
  readonly leapt?: number | undefined;
}

const day = 86_400_000;

/** Advances the clock to now. A clock that is set back is believed at once, as no event becomes old by it. */
export function advanceAgeClock(clock: AgeClock, now: number): AgeClock {
  const { time, leapt } = clock;
  if (now - time <= day) return { time: now };
  if (leapt === undefined || now < leapt) return { time, leapt: now };
  return now - leapt < day ? clock : { time: now };
}
