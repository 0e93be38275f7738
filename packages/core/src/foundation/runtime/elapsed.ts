/** Returns milliseconds of a monotonic clock, to measure durations in engines. The time of day comes from the port `Clock`. */
export const elapsed = (): number => performance.now();
