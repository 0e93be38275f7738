/** A password, a one-time password, or both in one text: an attempt to log in (webservices.md §4). */
import { codeLengths, presetLengths } from '../../authenticators/user-authenticators.ts';
import { type Found, findAccount } from '../account/account.ts';
import type { LoginRequest, LoginSecrets } from '../login-request.ts';
import type { LoginCall } from '../view.ts';
import type { LoginAttempt } from './evidence.ts';
import { readVisit, tellIgnored } from './login-visit.ts';

/** @throws ServiceError `invalid_params`, `unavailable` */
export async function attemptWithSecrets(
  request: LoginRequest & LoginSecrets,
  call: LoginCall,
): Promise<LoginAttempt> {
  const begun = call.clock.now();
  const visit = readVisit(request, call);
  const found = await findAccount(visit, call);
  tellIgnored(visit, found, call);
  return attemptOf({ visit, found, begun }, request, call);
}

/** @param who asks, and for whom, as it was found */
export function attemptOf(
  who: Omit<LoginAttempt, 'evidence'>,
  secrets: LoginSecrets,
  call: Pick<LoginCall, 'clock'>,
): LoginAttempt {
  const { visit, found, begun } = who;
  const evidence = { kind: 'secrets', secrets, lengths: lengthsOf(secrets, found, call) } as const;
  return { visit, found, begun, evidence };
}

/** How long a code at the end of the text may be: somebody who is not there has what the settings preset. */
function lengthsOf(secrets: LoginSecrets, found: Found, view: Pick<LoginCall, 'clock'>): readonly number[] {
  const text = 'anyPassword' in secrets ? secrets.anyPassword : undefined;
  if (text === undefined) return [];
  if (found.account) return codeLengths(text, found.account, view);
  const { preset } = found;
  return preset ? presetLengths(preset.settings) : [];
}
