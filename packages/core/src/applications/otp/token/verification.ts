/** Verifies codes of tokens that belong to no user: the caller passes secret and state, and nothing is stored. */

import { judgeOath, type OathVerdict, type TypeAndState } from '../../../authenticators/token.ts';
import type { Algorithm } from '../../../foundation/oath/hotp.ts';
import type { AccountView } from '../../../login/view.ts';
import { presetRules } from './named-token.ts';
import { checkSecret } from './registration.ts';

export interface Verification {
  readonly otp: string;
  readonly key: Uint8Array;
  /** Digits of a code. */
  readonly digits: number;
  /** Seconds of a TOTP time step. Optional; default: by the settings. */
  readonly period?: number | undefined;
  /** The hash. Optional; default: as long keys have it. */
  readonly algorithm?: Algorithm | undefined;
}

/** The state after the code; undefined: it is not the token's. @throws ServiceError `invalid_params` */
export function verifyCode(
  token: TypeAndState,
  { otp, key, digits, period, algorithm }: Verification,
  { presets, clock }: Pick<AccountView, 'presets' | 'clock'>,
): OathVerdict | undefined {
  checkSecret(key);
  const preset = presetRules({ presets });
  const rules = { ...preset, digits, period: period ?? preset.period, algorithm };
  return judgeOath({ ...token, secret: key }, otp, { rules, now: clock.now(), accepted: undefined });
}
