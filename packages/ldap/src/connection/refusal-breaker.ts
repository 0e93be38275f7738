/** A circuit breaker for logins: a wrong password is not sent again and again, which would lock the account. */
import { isReason } from '@watchword/core/foundation';
import type { Clock } from '@watchword/core/ports';

/**
 * Wraps a login, which throws the last `credentials_refused` during a pause.
 * @param pause milliseconds until the next attempt
 */
export function breakOnRefusal<T>(
  login: () => Promise<T>,
  { clock, pause }: { readonly clock: Clock; readonly pause: number },
): () => Promise<T> {
  let refusal: { readonly error: unknown; readonly time: number } | undefined;
  return async () => {
    if (refusal && clock.now() - refusal.time < pause) throw refusal.error;
    try {
      return await login();
    } catch (error) {
      if (isReason(error, 'credentials_refused')) refusal = { error, time: clock.now() };
      throw error;
    }
  };
}
