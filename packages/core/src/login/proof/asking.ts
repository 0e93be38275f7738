/** Logins that lack their code, and whether they are asked for it. */
import type { Factor } from '../../authenticators/authenticator.ts';
import { usableDevices } from '../../authenticators/device.ts';
import { factorOf, presetFactor } from '../../authenticators/user-authenticators.ts';
import { read } from '../../table/setting.ts';
import { loginSettings } from '../settings.ts';
import type { AdmittedLogin } from './passwords.ts';
import { type Asks, type Challenged, failed, type LoginProof } from './proof.ts';
import type { Wanted } from './readings.ts';

/** Asks for the wanted factors that the user has. @param behind the password was right */
export function askFor(
  wanted: Wanted,
  { account, view }: Pick<AdmittedLogin, 'account' | 'view'>,
  { behind, graceLogins, passedOn }: Pick<Asks, 'behind' | 'graceLogins' | 'passedOn'>,
): LoginProof {
  const factor = wanted.code ? factorOf(account, view) : undefined;
  const isAsked = wanted.device && view.config.relying_party !== undefined;
  const devices = isAsked ? usableDevices(account.data).map(({ id }) => id) : [];
  if (!factor && devices.length === 0) return failed('the user has no second factor', { passedOn });
  if (!read(account.settings, loginSettings.ChallengeMode))
    return failed(`${behind ? 'password right, ' : ''}no code, and nobody is to be asked for it`, {
      passedOn,
    });
  return { kind: 'asks', whose: account, factor, devices, behind, graceLogins, passedOn };
}

/**
 * Where a code alone is wanted and none has come, everybody is asked, so that names are not told apart: also who is not
 * there, or has nothing that a code could be of.
 */
export function askAlone(whose: Challenged, factor: Factor = presetFactor(whose.settings)): LoginProof {
  return read(whose.settings, loginSettings.ChallengeMode)
    ? { kind: 'asks', whose, factor, behind: false, passedOn: 0 }
    : failed('no code, and nobody is to be asked for it');
}
