/** TOTP (RFC 6238): HOTP whose counter is the time, in steps since 1970. */
import { type CodeSource, firstMatch, hotp } from './hotp.ts';
import { clockSteps, mostCandidates, timeStep, windowSteps } from './window.ts';

export interface TimeSource extends CodeSource {
  /** Seconds of a time step. */
  readonly period: number;
}

/** The code of a moment (milliseconds since 1970). */
export function totp(source: TimeSource, milliseconds: number): string {
  return hotp(source, timeStep(milliseconds, source.period));
}

export interface TotpWindow {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The highest step that was accepted: only steps above it are acceptable, once (RFC 6238 §5.2). */
  readonly after: number;
  /** Steps that the token's clock is known to be ahead, negative: behind (RFC 6238 §6). */
  readonly drift: number;
  /** Seconds that it may be off besides, or from the true time, either way. */
  readonly window: number;
}

/** The step that has this code, the nearest to the token's time if several have, then to the true time; undefined: none has. */
export function matchTotp(code: string, source: TimeSource, window: TotpWindow): number | undefined {
  const lowest = Math.max(0, window.after + 1);
  const now = timeStep(window.now, source.period);
  const steps = clockSteps(now, window.drift, windowSteps(source, window), lowest);
  return firstMatch(code, source, steps.slice(0, mostCandidates));
}

/**
 * The drift after a step was accepted. One step off is as likely a code that was typed late: the drift then stays,
 * and with it the entry as it is, unless the window is too narrow to wait for the next step.
 */
export function driftAfter(step: number, source: TimeSource, window: TotpWindow): number {
  const drift = step - timeStep(window.now, source.period);
  const isClose = Math.abs(drift - window.drift) <= 1 && windowSteps(source, window) > 1;
  return isClose ? window.drift : drift;
}
