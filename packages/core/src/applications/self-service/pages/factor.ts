/**
 * The second factor before a link may be used: a login with the usual limits, under the client policy `PwReset`. The link replaces the
 * password; the policy decides whether a code or a device is required.
 */
import { isReason } from '../../../foundation/errors/errors.ts';
import { loginAtPage } from '../../../login/login.ts';
import type { DeviceChallenge, LoginOutcome } from '../../../login/request.ts';
import type { LoginDoor } from '../../../login/view.ts';
import type { Link } from '../link/link.ts';
import { factorClient as client, leastFactors as mode } from './factor-policy.ts';
import type { PageVisit } from './visit.ts';

/** `asked`: a code is on its way to the user, a token asks a question, or a device is to sign. */
export type ShownFactor =
  | { readonly kind: 'right' | 'wrong' | 'wait' }
  | {
      readonly kind: 'asked';
      readonly session: string;
      readonly question?: string | undefined;
      /** A code is taken. */
      readonly code: boolean;
      readonly devices?: DeviceChallenge | undefined;
    };

export type FactorJudge = (link: Link, visit: PageVisit) => Promise<ShownFactor>;

/** Asks for a code or a device where none is shown. @throws ServiceError `unavailable` */
export const showFactor: FactorJudge = async (link, visit) => {
  try {
    return toFactor(await judge(link, visit), link);
  } catch (error) {
    if (isReason(error, 'too_many_attempts')) return { kind: 'wait' };
    if (isReason(error, 'not_found', 'invalid_params')) return { kind: 'wrong' };
    throw error;
  }
};

function judge({ name, sentBy }: Link, visit: PageVisit): Promise<LoginOutcome> {
  const [otp, session, assertion] = ['code', 'session', 'u2fResponse'].map(
    (field) => visit.form?.get(field) || undefined,
  );
  const door: LoginDoor = {
    client,
    application: { name: 'PwReset', service: 'pwreset' },
    operation: 'PwReset',
    demand: { mode, asks: 'always', link: { sentBy } },
  };
  return loginAtPage({ ...name, otp, session, assertion }, door, visit);
}

function toFactor(outcome: LoginOutcome, { dn }: Link): ShownFactor {
  switch (outcome.kind) {
    case 'granted':
      return { kind: outcome.by.dn.equals(dn) ? 'right' : 'wrong' };
    case 'challenge':
      return { ...outcome, kind: 'asked', code: outcome.factor !== undefined };
    case 'refused':
      return { kind: 'wrong' };
  }
}
