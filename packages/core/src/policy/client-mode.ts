/** What a client's mode makes of a login mode (concepts.md §3): one step down, one step up, or nobody. */
import type { ClientMode } from '../config.ts';

/** Our choice: of an OTP alone nothing is left to step down to, and of two factors nothing to step up to. */
const down: ReadonlyMap<string, string> = new Map([
  ['LDAPOTP', 'LDAP'],
  ['LDAPU2F', 'LDAP'],
  ['LDAPMFA', 'LDAP'],
]);
const up: ReadonlyMap<string, string> = new Map([
  ['LDAP', 'LDAPOTP'],
  ['OTP', 'LDAPOTP'],
]);

/**
 * @param loginMode a value of the setting `Otp.LoginMode`
 * @returns the login mode in force; undefined: nobody logs in
 */
export function stepMode(loginMode: string, mode: ClientMode): string | undefined {
  switch (mode) {
    case 'default':
      return loginMode;
    case 'step_down':
      return down.get(loginMode) ?? loginMode;
    case 'step_up':
      return up.get(loginMode) ?? loginMode;
    case 'no_access':
      return undefined;
  }
}
