/** Logins that stop at a refusal: a password that is wrong now is not sent again and again, until the account is locked. */
import { isReason } from '@watchword/core/foundation';
import type { Clock } from '@watchword/core/ports';

/**
 * The same, but after `credentials_refused` it answers so by itself.
 * @param pause milliseconds after which it is tried again
 */
export function untilRefused<T>(
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
