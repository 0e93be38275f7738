/**
 * Registration of tokens, at once or by a mobile session. A registration before the scan leaves the present token in its slot, and stores
 * only the session id beside it, with the rights of the administrator. The scan then stores the token, unless the id was removed or
 * replaced meanwhile.
 */

import type { TimedClaims } from '../../../authenticators/authenticator.ts';
import { claimKey, claimSeconds, tokenKey } from '../../../authenticators/claim-keys.ts';
import { forgetLastCode } from '../../../authenticators/last-code.ts';
import {
  type AnyState,
  type CodeShape,
  type TypeAndState,
  tokenRules,
} from '../../../authenticators/token.ts';
import { sessionAwaited, tokenChanges, tokenRemoval } from '../../../authenticators/token-data.ts';
import { type EntryRef, type StoredData, swapData } from '../../../directory/data/data.ts';
import type { Settings } from '../../../directory/data/layers.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import type { StoredDataView } from '../../../directory/view.ts';
import { noSession, ServiceError } from '../../../foundation/errors/errors.ts';
import { type Algorithm, algorithmOf } from '../../../foundation/oath/hotp.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { read } from '../../../table/setting.ts';
import type { Device, Scan } from '../mobile/mobile-record.ts';
import {
  assertSame,
  claimSession,
  findMobileSession,
  findOpenSession,
  type MobileSession,
  otherThan,
  userOf,
} from '../mobile/mobile-session.ts';
import { otpSettings } from '../settings.ts';
import type { RegistrationView } from '../view.ts';
import { inDays } from './named-token.ts';
import { shapeInUri } from './offered-shape.ts';

export type Registration = TypeAndState & {
  readonly slot: number;
  readonly secret: Uint8Array;
  /** The mobile session to be confirmed first; undefined: none. */
  readonly session: string | undefined;
  /** The hash of its codes; undefined: as its URI said, else as long keys have it. */
  readonly algorithm: Algorithm | undefined;
};

/** A token on its way to its slot. */
type NewToken = NewSecret & TypeAndState & { readonly algorithm?: Algorithm | undefined };

type NewSecret = {
  readonly entryRef: EntryRef;
  readonly slot: number;
  readonly secret: Uint8Array;
  /** Milliseconds since 1970; null: never. */
  readonly expires: number | null;
  /** The public id of a Yubikey. */
  readonly id?: Uint8Array;
  readonly device?: Device;
  readonly shape?: CodeShape;
  /** The suite of an OCRA token. */
  readonly suite?: string;
  readonly pin?: string | undefined;
  /** The session that the slot has to be waiting for. */
  readonly awaited?: string;
};

/** @throws ServiceError `invalid_params`; `not_found`, also for a session that is over */
export async function registerToken(
  dn: Dn,
  registration: Registration,
  view: RegistrationView,
): Promise<void> {
  const profile = await readProfile(dn, view);
  checkSecret(registration.secret);
  const expires = expiryOf(profile, view);
  const { session, ...token } = { ...registration, entryRef: profile, expires };
  if (session !== undefined) await registerBySession(token, await sessionFor(dn, session, view), view);
  else await writeToken({ ...token, shape: await shapeFor(token, profile.settings, view) }, view);
}

/** Returns the end of a token that is registered now, in milliseconds since 1970; null: never. */
export function expiryOf(
  { settings }: { readonly settings: Settings },
  { clock }: Pick<RegistrationView, 'clock'>,
): number | null {
  const days = read(settings, otpSettings.TokenExpire);
  return days > 0 ? inDays(days, clock) : null;
}

/**
 * Returns the shape of the codes: that of the URI with the same secret, else that of the settings; the registration may name another
 * algorithm. It stays with the token, so that a later change of the settings locks no user out.
 */
async function shapeFor(
  token: NewToken,
  settings: Settings,
  view: Pick<RegistrationView, 'store'>,
): Promise<CodeShape> {
  const shape = (await shapeInUri(token, view)) ?? settledShape(settings);
  return token.algorithm === undefined ? shape : { ...shape, algorithm: token.algorithm };
}

/** Returns the shape of codes by the settings, for a token that is registered now. */
export function settledShape(settings: Settings): CodeShape {
  const { digits, period } = tokenRules(settings);
  return { digits, period };
}

/** Checks the length of a secret. @throws ServiceError `invalid_params` */
export function checkSecret(secret: Uint8Array): void {
  if (secret.length < 10 || secret.length > 128)
    throw new ServiceError('invalid_params', { detail: 'Parameter key is not 10 to 128 bytes' });
}

async function sessionFor(dn: Dn, id: string, view: TimedClaims): Promise<MobileSession> {
  const session = await findMobileSession(id, view);
  if (!session) throw noSession();
  const user = await userOf(session);
  if (user && !user.equals(dn)) throw otherThan('dn');
  return session;
}

async function registerBySession(
  token: NewToken,
  session: MobileSession,
  view: RegistrationView,
): Promise<void> {
  const { record } = session;
  const outcome = await record.read('outcome');
  if (outcome) {
    if (outcome.scanned) assertSame(outcome.scanned, token);
    await own(token, session);
    await attachScanned(token, outcome.scanned, view);
    return;
  }
  const offer = await record.read('offer');
  if (offer) assertSame(offer, token);
  if (!(await findOpenSession(session.id, view))) throw noSession();
  await own(token, session);
  await awaitScan(token, session, view);
  // It may have been scanned in this moment, by somebody who saw no registration yet. The second of the two
  // finds that the slot waits no more.
  const scanned = (await record.read('outcome'))?.scanned;
  if (scanned) await attachScanned({ ...token, awaited: session.id }, scanned, view);
}

async function own({ entryRef, slot }: NewToken, session: MobileSession): Promise<void> {
  const others = await claimSession(session, { user: entryRef.dn, slot });
  if (others) throw otherThan(others);
}

async function awaitScan(token: NewToken, session: MobileSession, view: StoredDataView): Promise<void> {
  const { entryRef, secret, ...rest } = token;
  const key = Buffer.from(secret).toString('base64');
  const pending = { ...rest, key, user: entryRef.dn.toString() };
  // In this order: where the registration is seen, the slot waits for it already.
  await swapData(entryRef, () => tokenChanges(token.slot, { session: session.id }), view);
  await session.record.write('pending', pending, session.seconds);
}

/**
 * Attaches the token whose registration waited for this scan.
 * @returns whose it is; undefined: no registration waits
 * @throws ServiceError `not_found` if the user has gone, or the registration was taken back
 */
export async function attachPending(
  session: MobileSession,
  scanned: Scan,
  view: RegistrationView,
): Promise<string | undefined> {
  const pending = await session.record.read('pending');
  if (!pending) return undefined;
  const { user, key, ...rest } = pending;
  const profile = await readProfile(Dn.parse(user), view);
  const token = { ...rest, entryRef: profile, secret: Buffer.from(key, 'base64'), awaited: session.id };
  if (!(await attachScanned(token, scanned, view))) throw noSession();
  return user;
}

/**
 * The code that confirmed the session is used up by the state that the token is written with, and claimed after that:
 * where the entry takes no token, nothing is lost. As {@link writeToken}.
 */
async function attachScanned(
  token: NewToken,
  scanned: Scan | undefined,
  view: RegistrationView,
): Promise<boolean> {
  if (!scanned) throw noSession();
  assertSame(scanned, token);
  const { device, shape } = scanned;
  const isWritten = await writeToken({ ...token, ...later(token, scanned), device, shape }, view);
  const { store, keys } = view;
  if (isWritten) await store.claim(claimKey(token, shape, keys), scanned.claim, claimSeconds);
  return isWritten;
}

/** Returns the later state of both: the scan has used up the codes before it. */
function later(registered: TypeAndState, scanned: TypeAndState): TypeAndState {
  if (registered.type === 'HOTP' && scanned.type === 'HOTP')
    return { type: 'HOTP', state: { counter: Math.max(registered.state.counter, scanned.state.counter) } };
  if (registered.type === 'TOTP' && scanned.type === 'TOTP') {
    const { step, drift } = scanned.state;
    return { type: 'TOTP', state: { step: Math.max(registered.state.step, step), drift } };
  }
  throw otherThan('key');
}

/** Returns the shape without the algorithm that follows from the length of the secret, as the first release reads it. */
const shortShape = ({ digits, period, algorithm }: CodeShape, secret: Uint8Array): CodeShape => ({
  ...{ digits, period },
  ...(algorithm !== algorithmOf(secret) && { algorithm }),
});

/** Nothing of what stood in the slot stays. False if the slot should wait for a session, and does not. */
export async function writeToken(token: NewSecret & AnyState, view: RegistrationView): Promise<boolean> {
  const { entryRef, slot, type, secret, state, expires, id, device, suite, pin, awaited } = token;
  const shape = token.shape && shortShape(token.shape, secret);
  const changes = new Map([
    ...tokenRemoval(slot),
    ...tokenChanges(slot, { type, secret, state, expires, shape, id, suite, pin, ...device }),
  ]);
  let isWritten = true;
  const next = (stored: StoredData) => {
    isWritten = awaited === undefined || sessionAwaited(stored, slot) === awaited;
    return isWritten ? changes : new Map();
  };
  await swapData(entryRef, next, view);
  const { store, keys, limits } = view;
  if (isWritten)
    await Promise.all([limits.forgetCodes(tokenKey(token, keys)), forgetLastCode(entryRef, store)]);
  return isWritten;
}
