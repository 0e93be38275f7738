/**
 * The clock that the age of events is measured by. A leap of more than a day ahead may be a clock that is wrong for seconds, and
 * what is removed is gone: nothing is old until the clock has gone on for a day after it. On PostgreSQL the database keeps the
 * same (`adapters/postgres/schema/event-age.ts`).
 */
export interface AgeClock {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The time that the clock came to when it leapt; left out: it did not. */
  readonly leapt?: number | undefined;
}

const day = 86_400_000;

/** The clock after a look at the time of now. A clock that is set back is believed at once: nothing becomes old by that. */
export function advanced(clock: AgeClock, now: number): AgeClock {
  const { time, leapt } = clock;
  if (now - time <= day) return { time: now };
  if (leapt === undefined || now < leapt) return { time, leapt: now };
  return now - leapt < day ? clock : { time: now };
}
