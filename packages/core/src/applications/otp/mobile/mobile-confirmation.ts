/**
 * The confirmation of a mobile session: a current code of the secret in the QR code, which proves that the phone has scanned it, and the
 * PIN if there is one.
 */

import type { StateContext } from '../../../authenticators/authenticator.ts';
import { logUnkept } from '../../../authenticators/entry-state.ts';
import { judgeOath } from '../../../authenticators/token.ts';
import type { Domains } from '../../../directory/domain.ts';
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { AccountView } from '../../../login/view.ts';
import { presetRules } from '../token/named-token.ts';
import { attachPending } from '../token/registration.ts';
import type { RegistrationView } from '../view.ts';
import type { Device, MobileParts, Scan } from './mobile-record.ts';
import { findOpenSession, isPincode, type MobileSession } from './mobile-session.ts';

/** Wrong codes and wrong PINs, whichever: this many end the session. */
const mostTries = 5;

export interface Confirmation {
  readonly session: string;
  readonly otp: string;
  readonly pincode?: string | undefined;
  readonly device: Device;
}

export type ConfirmationResult =
  | {
      readonly kind: 'confirmed';
      /** The user, if the token was registered before. */
      readonly user?: string;
    }
  /** Another try may be right. */
  | { readonly kind: 'refused'; readonly needsPincode: boolean }
  /** The entry of this user takes no token from the service. The session goes on, and nobody has failed. */
  | { readonly kind: 'unkept'; readonly user: string }
  /** None will: the session has ended now, or there was none. */
  | { readonly kind: 'over' | 'unknown' };

/** The context of judging a scan. */
type JudgingContext = Pick<AccountView, 'presets' | 'clock'>;

/** The context of a confirmation: the session, and the entry of its token. */
export interface ConfirmationView extends RegistrationView, StateContext {
  readonly keys: RegistrationView['keys'];
  readonly domains: Pick<Domains, 'bases' | 'containing'>;
  readonly log: StateContext['log'];
  readonly config: StateContext['config'];
  readonly server: RegistrationView['server'];
}

/** @throws ServiceError `unavailable`; the session is as it was then */
export async function confirmSession(
  given: Confirmation,
  core: ConfirmationView,
): Promise<ConfirmationResult> {
  const session = await findOpenSession(given.session, core);
  if (!session) return { kind: 'unknown' };
  const { record, seconds, begun } = session;
  // Taken before anything is judged: parallel tries are not more than one after another.
  const tries = await record.count('tries', { by: 1, limit: mostTries, seconds });
  if (tries === undefined) return { kind: 'over' };
  const scan = await judge(session, given, core);
  if (scan) return confirmOnce(session, scan, core);
  if (tries < mostTries) return { kind: 'refused', needsPincode: begun.pincode !== undefined };
  await record.write('outcome', { scanned: undefined }, seconds);
  return { kind: 'over' };
}

/** Judges both, also if the first is wrong, so that the answer does not show which one was. */
async function judge(
  session: MobileSession,
  given: Confirmation,
  core: JudgingContext,
): Promise<Scan | undefined> {
  const offer = await session.record.read('offer');
  const knowsPincode = isPincode(session, given.pincode);
  const judgement = offer && judgeOffer(offer, given.otp, core);
  if (!judgement || !knowsPincode) return undefined;
  const { key, shape } = offer;
  return { ...judgement, key, shape, device: given.device };
}

function judgeOffer(offer: MobileParts['offer'], otp: string, core: JudgingContext) {
  const token = { ...offer, secret: Buffer.from(offer.key, 'base64') };
  return judgeOath(token, otp, { rules: presetRules(core), now: core.clock.now(), accepted: undefined });
}

/** Confirms once: of two confirmations at the same time one succeeds. */
async function confirmOnce(
  session: MobileSession,
  scanned: Scan,
  core: ConfirmationView,
): Promise<ConfirmationResult> {
  const { record, seconds } = session;
  if ((await record.count('confirmations', { by: 1, limit: 1, seconds })) === undefined)
    return { kind: 'over' };
  try {
    // First the outcome, then the look for a registration; a registration does it the other way round. So one of
    // them sees the other, and what is registered in this moment is not left waiting.
    await record.write('outcome', { scanned }, seconds);
    const user = await attachPending(session, scanned, core);
    return { kind: 'confirmed', ...(user !== undefined && { user }) };
  } catch (error) {
    if (isReason(error, 'not_found')) return giveUp(session);
    await takeBack(session);
    const pending = await record.read('pending');
    if (!pending || !(error instanceof ServiceError) || error.reason !== 'permission_denied') throw error;
    await logUnkept(Dn.parse(pending.user), error, { view: core, level: 'error' });
    return { kind: 'unkept', user: pending.user };
  }
}

/** The session is as it was before somebody confirmed it. */
async function takeBack({ record, seconds }: MobileSession): Promise<void> {
  await record.remove('outcome');
  await record.count('confirmations', { by: -1, limit: 1, seconds });
  await record.count('tries', { by: -1, limit: mostTries, seconds });
}

/** The user has gone, or the registration was taken back: there is nothing to confirm any more. */
async function giveUp({ record, seconds }: MobileSession): Promise<ConfirmationResult> {
  await record.write('outcome', { scanned: undefined }, seconds);
  return { kind: 'over' };
}
