/** What may be known at once: a login that finds all it needs in memory waits for nothing, and makes no promise. */
export type Soon<T> = T | Promise<T>;

/** Goes on with it: at once if it is there. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Promise<R>): Promise<R>;
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R>;
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
