/** A second factor before a link may be used: a login by a code, with the limits of any other. */
import { isReason } from '../../errors/errors.ts';
import { answerChallenge, login } from '../../login/login.ts';
import type { LoginOutcome } from '../../login/login-request.ts';
import type { LoginCall } from '../../login/view.ts';
import { modeSettings } from '../../policy/login-mode.ts';
import type { Link } from '../link/link.ts';
import type { PageVisit } from './visit.ts';

/** `challenge`: a code goes to the user, or its token asks a question. */
export type ShownFactor =
  | { readonly kind: 'right' | 'wrong' | 'wait' }
  | { readonly kind: 'asked'; readonly session: string; readonly question?: string | undefined };

export type FactorJudge = (link: Link, visit: PageVisit) => Promise<ShownFactor>;

/** Without a code: one is sent, where one can be. @throws ServiceError `unavailable` */
export const showFactor: FactorJudge = async (link, visit) => {
  try {
    return told(await judge(link, visit), link);
  } catch (error) {
    if (isReason(error, 'too_many_attempts')) return { kind: 'wait' };
    if (isReason(error, 'not_found', 'invalid_params')) return { kind: 'wrong' };
    throw error;
  }
};

function judge({ name }: Link, visit: PageVisit): Promise<LoginOutcome> {
  const { form } = visit;
  const [otp, session] = [form?.get('code') ?? '', form?.get('session') ?? ''];
  if (session !== '') return answerChallenge({ ...name, session, otp }, callOf(visit));
  const asked = { ...name, client: 'PwReset', settings: `${modeSettings.LoginMode.name}=OTP` };
  return login({ ...asked, ...(otp !== '' && { otp }) }, callOf(visit));
}

function told(outcome: LoginOutcome, { dn }: Link): ShownFactor {
  switch (outcome.kind) {
    case 'granted':
      return { kind: outcome.by.dn.equals(dn) ? 'right' : 'wrong' };
    case 'challenge':
      return { kind: 'asked', session: outcome.session, question: outcome.question };
    case 'refused':
      return { kind: 'wrong' };
  }
}

/** The browser is the caller, and is counted where it stands (concepts.md §7). */
const callOf = ({ view, address, transaction, gone }: PageVisit): LoginCall => ({
  ...view,
  ...{ transaction, gone },
  caller: { address, choosesPolicy: true },
  application: { name: 'PwReset', service: 'pwreset' },
  operation: 'PwReset',
});
