/**
 * What secrets prove of somebody who does not log in, whatever is shown: who is not there, or is let in by nothing for
 * now. It is judged as a user is who has nothing of its own, and costs as much.
 */
import type { Factor } from '../../authenticators/authenticator.ts';
import { factorOf } from '../../authenticators/user-authenticators.ts';
import { decoyUser } from '../../directory/entry/user.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { tooManyHalfRight } from '../../limits/kept/together.ts';
import type { Absent } from '../account/account.ts';
import type { ShownSecrets } from '../attempt/evidence.ts';
import { askAlone } from './asking.ts';
import { type AdmittedLogin, tryInVain } from './passwords.ts';
import { failed, type LoginProof } from './proof.ts';
import { codeOnly, readSecrets, type Wanted, wantedFactors, wholeReadings } from './readings.ts';

/** Who is judged though nothing helps. */
export interface Nobody extends Pick<Absent, 'dn' | 'why' | 'preset'> {
  /** Whose challenge is begun where everybody is asked for a code. */
  readonly challenged: Dn;
  readonly factor?: Factor | undefined;
}

export const nobodyAs = ({ dn, why, preset }: Absent): Nobody => ({ dn, why, preset, challenged: dn });

/** As everybody is judged who shows nothing that is right, so that nobody sees that it is in vain (§7, 3). */
export const inVain = ({ account, view }: Pick<AdmittedLogin, 'account' | 'view'>): Nobody => ({
  dn: decoyUser(account.domain.base, account.dn.format()),
  why: tooManyHalfRight,
  preset: account,
  // Its answer is in vain as long as this is; an administrator may lift it before.
  challenged: account.dn,
  factor: factorOf(account, view),
});

/** A password costs what any password costs. */
export async function proveNobody(
  shown: ShownSecrets,
  { dn, why, preset, challenged, factor }: Nobody,
  admitted: Omit<AdmittedLogin, 'account' | 'known'>,
): Promise<LoginProof> {
  if (admitted.admission.kind === 'together') {
    const { asked } = await tryInVain(dn, passwordsOf(wholeReadings(shown)), admitted);
    return { ...failed(why, { passedOn: asked }), isNoEvent: true };
  }
  const wanted = (preset && wantedFactors(preset, admitted.visit)) ?? passwordOnly;
  if (preset && !wanted.password) {
    const [reading] = readSecrets(shown, codeOnly);
    if (reading?.code) return failed(why, { isHalfRight: true });
    return askAlone({ dn: challenged, settings: preset.settings }, factor);
  }
  const { wrong, asked } = await tryInVain(dn, passwordsOf(readSecrets(shown, wanted)), admitted);
  return failed(why, { wrongPasswords: wrong, passedOn: asked });
}

const passwordOnly: Wanted = { password: true, code: false, device: false };

const passwordsOf = (readings: readonly { readonly password: string | undefined }[]): readonly string[] =>
  readings.map(({ password = '' }) => password);
