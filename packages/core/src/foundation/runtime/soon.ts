/**
 * A value or a promise of it, as engines may return either; the core awaits both
 * (docs/decisions/0052-the-core-awaits-what-may-be-a-promise.md).
 */
export type Soon<T> = T | Promise<T>;

/** Applies a function to a value, at once unless the value is a promise. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Promise<R>): Promise<R>;
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R>;
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
