/**
 * How often a test repeats what chance decides: few rounds by day, so that every change waits for minutes and not for hours, and
 * the many where `WATCHWORD_LONG` is set, as `npm run test:long` does.
 */
export const rounds = (byDay: number, long: number): number => (process.env.WATCHWORD_LONG ? long : byDay);
