/**
 * Passwords that stand in for all factors: of one client (AppKey), or for a while (TmpKey). They are judged before the directory is
 * asked; a text that is none of them is what it would be without them.
 */
import {
  isAppPassword,
  isInForce,
  isTemporary,
  readAppKey,
  readTemporary,
} from '../../authenticators/app-passwords.ts';
import type { ShownSecrets } from '../attempt/evidence.ts';
import type { AdmittedLogin } from './passwords.ts';
import type { Right } from './proof.ts';

/** Undefined: nothing that was shown is one of them. */
export function proveStandingIn(
  { secrets }: ShownSecrets,
  { account, visit, view, admission }: AdmittedLogin,
): Right | undefined {
  // Where somebody asks for more than usual, or failures have the user refused, one password is not enough.
  if (admission.kind === 'together' || account.isRaised || account.clientMode === 'step_up') return undefined;
  const text = 'anyPassword' in secrets ? secrets.anyPassword : (secrets.password ?? secrets.otp);
  const first = text
    ? kindOf(text, visit.request.demand?.isByPerson ? undefined : visit.policy.surely, {
        data: account.data,
        clock: view.clock,
      })
    : undefined;
  return first && { kind: 'right', account, first, concat: 0, passedOn: 0, otherwise: {} };
}

/** @param client that the caller surely is */
function kindOf(
  text: string,
  client: string | undefined,
  { data, clock }: Pick<AdmittedLogin['account'], 'data'> & Pick<AdmittedLogin['view'], 'clock'>,
): Right['first'] {
  const appKey = client === undefined ? undefined : readAppKey(data);
  if (appKey && client !== undefined && isInForce(appKey, clock.now()) && isAppPassword(text, client, appKey))
    return 'application password';
  const temporary = readTemporary(data);
  return temporary && isInForce(temporary, clock.now()) && isTemporary(text, temporary)
    ? 'temporary password'
    : undefined;
}
