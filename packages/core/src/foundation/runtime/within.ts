/** Deadlines for what is waited for. */
import { ServiceError } from '../errors/errors.ts';

/** The promise's outcome, or `unavailable` with this detail if it takes longer. @param timeout milliseconds */
export function within<T>(timeout: number, promise: Promise<T>, detail: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new ServiceError('unavailable', { detail })), timeout);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
