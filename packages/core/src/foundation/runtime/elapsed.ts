/**
 * Milliseconds since some moment before this process, by a clock that nobody sets: for how long something takes. What time it is
 * says the port `Clock`.
 */
export const elapsed = (): number => performance.now();
