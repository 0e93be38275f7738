/** TOTP (RFC 6238): HOTP whose counter is the number of time steps since 1970. */
import { firstMatch, type HotpParameters, hotp } from './hotp.ts';
import { clockSteps, mostCandidates, timeStep, windowSteps } from './window.ts';

export interface TotpParameters extends HotpParameters {
  /** Seconds of a time step. */
  readonly period: number;
}

/** Computes the code of a moment. @param milliseconds since 1970 */
export function totp(source: TotpParameters, milliseconds: number): string {
  return hotp(source, timeStep(milliseconds, source.period));
}

export interface TotpWindow {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The highest accepted step: only higher steps are acceptable, once each (RFC 6238 §5.2). */
  readonly after: number;
  /** Steps by which the token's clock is known to be fast; negative if slow (RFC 6238 §6). */
  readonly drift: number;
  /** Seconds that the clock may be off, either way, from the drifted time or from the true time. */
  readonly window: number;
}

/**
 * Returns the step that has this code, preferring steps near the token's time, then near the true time.
 * @returns undefined if no step of the window has the code
 */
export function matchTotp(code: string, source: TotpParameters, window: TotpWindow): number | undefined {
  const lowest = Math.max(0, window.after + 1);
  const now = timeStep(window.now, source.period);
  const steps = clockSteps(now, window.drift, windowSteps(source, window), lowest);
  return firstMatch(code, source, steps.slice(0, mostCandidates));
}

/**
 * Returns the drift after a step was accepted. A difference of one step may be a code that was typed late: it changes the drift only where
 * the window is too narrow to wait for the next step. An unchanged drift saves a write.
 */
export function driftAfter(step: number, source: TotpParameters, window: TotpWindow): number {
  const drift = step - timeStep(window.now, source.period);
  const isClose = Math.abs(drift - window.drift) <= 1 && windowSteps(source, window) > 1;
  return isClose ? window.drift : drift;
}
