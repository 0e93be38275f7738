/** The token of the quick start, as `quickstart.json` has it. */
import { fromBase32 } from '@watchword/core';

/** A TOTP token (RFC 6238), as in `quickstart.json`. */
export interface DemoToken {
  readonly type: 'TOTP';
  /** Base32. */
  readonly secret: string;
  readonly algorithm: string;
  /** Number of digits of a code. */
  readonly digits: number;
  /** Seconds for which a code is shown. */
  readonly period: number;
}

export function isDemoToken({ type, secret, algorithm, digits, period }: Partial<DemoToken>): boolean {
  const isShaped = isPositive(digits) && isPositive(period) && typeof algorithm === 'string';
  return type === 'TOTP' && isShaped && typeof secret === 'string' && fromBase32(secret) !== undefined;
}

const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
