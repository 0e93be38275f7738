/** What may be known at once: a login that finds all it needs in memory waits for nothing, and makes no promise. */
export type Soon<T> = T | Promise<T>;

/** Goes on with it: at once if it is there. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Promise<R>): Promise<R>;
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R>;
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * The same for what each login does: `next` is a function that is there already, and is handed what it needs. One that is made
 * on the way, to be called once, costs V8 more than what most of them do.
 */
export function soonWith<T, With, R>(
  value: Soon<T>,
  next: (value: T, about: With) => Promise<R>,
  about: With,
): Promise<R>;
export function soonWith<T, With, R>(
  value: Soon<T>,
  next: (value: T, about: With) => Soon<R>,
  about: With,
): Soon<R>;
export function soonWith<T, With, R>(
  value: Soon<T>,
  next: (value: T, about: With) => Soon<R>,
  about: With,
): Soon<R> {
  return value instanceof Promise ? value.then((known) => next(known, about)) : next(value, about);
}
