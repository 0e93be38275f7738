/** Results of authentications. */
import type { Authentication } from '@watchword/core/ports';

/** Makes a granted authentication. @param graceLogins of an expired password; undefined: it has not expired */
export function granted(mustChange: boolean, graceLogins: number | undefined): Authentication {
  if (graceLogins !== undefined) return { granted: true, mustChange, graceLogins };
  return mustChange ? grantedOnce : grantedFully;
}

const grantedFully = { granted: true, mustChange: false } as const;
const grantedOnce = { granted: true, mustChange: true } as const;

/** The refusal of a wrong password, and of a user that does not exist. */
export const wrongPassword = { granted: false, refusal: 'wrong_password' } as const;
