/**
 * Rule 1: a failed or refused login is answered after `login_failure_delay_ms`, or a whole multiple of it, whatever was
 * wrong: neither its words nor its time tell what that was.
 */
import type { Clock } from '../ports/clock.ts';

/** Keeps an answer back until a whole multiple of so many milliseconds has passed since `begun`. */
export async function waitOut(begun: number, step: number, clock: Clock): Promise<void> {
  const passed = clock.now() - begun;
  const end = Math.max(1, Math.ceil(passed / (step || 1))) * step;
  await clock.sleep(Math.max(0, end - passed));
}
