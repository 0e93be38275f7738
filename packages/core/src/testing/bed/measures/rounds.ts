/** Returns the rounds of a randomised test: few by day, and many where `WATCHWORD_LONG` is set, as `npm run test:long` does. */
export const rounds = (byDay: number, long: number): number => (process.env.WATCHWORD_LONG ? long : byDay);
