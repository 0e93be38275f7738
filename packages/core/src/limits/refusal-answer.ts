/** Delays the answers of refusals by `login_failure_delay_ms` or a multiple of it, so that their time reveals nothing. */
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Clock } from '../ports/clock.ts';

/** Waits until a whole multiple of `step` milliseconds has passed since `begun`. */
export async function waitOut(begun: number, step: number, clock: Clock): Promise<void> {
  const passed = clock.now() - begun;
  const end = Math.max(1, Math.ceil(passed / (step || 1))) * step;
  await clock.sleep(Math.max(0, end - passed));
}

/** Makes the error of a refusal. @param seconds undefined: until an administrator lifts it */
export function tooMany(seconds: number | undefined): ServiceError {
  const detail =
    seconds === undefined ? 'until an administrator lifts it' : `try again in ${seconds} seconds`;
  return new ServiceError('too_many_attempts', {
    detail,
    ...(seconds !== undefined && { retryAfter: seconds }),
  });
}
