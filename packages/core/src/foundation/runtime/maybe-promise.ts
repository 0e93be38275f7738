/** A value or a promise of it, for engines: the core awaits (docs/decisions/0052-the-core-awaits-what-may-be-a-promise.md). */
export type MaybePromise<T> = T | Promise<T>;

/** Applies a function to a value, at once unless the value is a promise. */
export function thenMaybe<T, R>(value: MaybePromise<T>, next: (value: T) => Promise<R>): Promise<R>;
export function thenMaybe<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R>;
export function thenMaybe<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
