import { ServiceError } from '../errors/errors.ts';

/**
 * Returns the outcome of a promise, unless it takes longer than the timeout.
 * @param timeout milliseconds
 * @throws ServiceError `unavailable` with this detail after the timeout
 */
export function withTimeout<T>(timeout: number, promise: Promise<T>, detail: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new ServiceError('unavailable', { detail })), timeout);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
