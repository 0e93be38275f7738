/** What a client's mode makes of a login mode (concepts.md §3): one step down, or one up. */
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

/** Whoever is in another one does not log in at all, by whatever factor. */
export type OpenMode = Exclude<ClientMode, 'no_access'>;

/**
 * @param loginMode a value of the setting `Otp.LoginMode`
 * @returns the login mode in force
 */
export function stepMode(loginMode: string, mode: OpenMode): string {
  switch (mode) {
    case 'default':
      return loginMode;
    case 'step_down':
      return down.get(loginMode) ?? loginMode;
    case 'step_up':
      return up.get(loginMode) ?? loginMode;
  }
}
