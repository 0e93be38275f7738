/** Client modes (docs/concepts/policies-and-settings.md#client-mode): a login mode that is one step weaker or stricter. */
import type { ClientMode } from '../../config/config.ts';
import type { Settings } from '../../directory/data/layers.ts';
import { read } from '../../table/setting.ts';
import { isLoginMode, modeSettings, type TwoFactorMode } from './login-mode.ts';

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

/** Modes in which users log in; in the other one nobody does, by any factor. */
export type OpenMode = Exclude<ClientMode, 'no_access'>;

/**
 * @param loginMode a value of the setting; other words stay what they are
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

/** Returns the login mode as {@link stepMode}; for a closed client it stays. */
export const effective = (loginMode: string, mode: ClientMode): string =>
  mode === 'no_access' ? loginMode : stepMode(loginMode, mode);

/** Returns the login mode in force under a client's mode. */
export const loginModeOf = ({ settings, mode }: { settings: Settings; mode: ClientMode }): string =>
  effective(read(settings, modeSettings.LoginMode), mode);

/**
 * Returns the login mode where a door demands two factors: the door's, unless the policy wants a device, which no code replaces. A device
 * replaces a code that the policy wants, where the door takes one. An unknown login mode admits nobody, and stays.
 */
export const stricterLoginMode = (inForce: string, demanded: TwoFactorMode): string =>
  inForce === 'LDAPU2F' || !isLoginMode(inForce) ? inForce : demanded;

const fromLaxest: readonly ClientMode[] = ['step_down', 'default', 'step_up', 'no_access'];

export const stricterMode = (one: ClientMode, other: ClientMode): ClientMode =>
  fromLaxest.indexOf(one) < fromLaxest.indexOf(other) ? other : one;
