/** Uniform answers: a failed or refused login is answered after `login_failure_delay_ms` or a multiple of it, so that its time shows nothing. */
import type { Clock } from '../ports/clock.ts';

/** Waits until a whole multiple of `step` milliseconds has passed since `begun`. */
export async function waitOut(begun: number, step: number, clock: Clock): Promise<void> {
  const passed = clock.now() - begun;
  const end = Math.max(1, Math.ceil(passed / (step || 1))) * step;
  await clock.sleep(Math.max(0, end - passed));
}
