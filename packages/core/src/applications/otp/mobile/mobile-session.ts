/**
 * Mobile sessions: registration of a soft token whose QR code was scanned, which a code of the token proves. Interactive: the portal waits
 * for the scan and then registers. Detached: the registration is prepared and the scan completes it. The whole state is in the store, for
 * every node.
 */

import { hash, timingSafeEqual } from 'node:crypto';
import type { TimedClaims } from '../../../authenticators/authenticator.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { type Algorithm, algorithmOf } from '../../../foundation/oath/hotp.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { isSameSecret } from '../../../foundation/text/secret/same-secret.ts';
import { isAhead } from '../../../ports/clock.ts';
import { printable } from '../../../ports/event-log/event-log.ts';
import { type Random, randomSession } from '../../../ports/random.ts';
import { type MobileParts, MobileRecord, type OfferedToken } from './mobile-record.ts';

/** After the end of a session: time to register what was scanned in its last second. */
const graceSeconds = 60;

export interface MobileSession {
  readonly id: string;
  readonly record: MobileRecord;
  readonly begun: MobileParts['begun'];
  /** The lifetime of the whole record, in seconds. */
  readonly seconds: number;
}

/** Begins a session and returns its id: 16 characters `[0-9A-Za-z]`. */
export async function beginMobileSession(
  { timeout, user, pincode }: { timeout: number; user: Dn | undefined; pincode: string | undefined },
  core: TimedClaims & { readonly random: Random },
): Promise<string> {
  const id = randomSession(core.random);
  const pin = pincode && legible(pincode);
  const begun = {
    since: core.clock.now(),
    ends: core.clock.now() + timeout * 1000,
    ...(user && { user: user.toString() }),
    ...(pin && { pincode: hashOf(id, pin) }),
  };
  await new MobileRecord(id, core).write('begun', begun, timeout + graceSeconds);
  return id;
}

/** The session of an id, also for a while after its end; undefined: there is none. */
export async function findMobileSession(id: string, core: TimedClaims): Promise<MobileSession | undefined> {
  if (!/^[a-zA-Z0-9]{16,17}$/.test(id)) return undefined;
  const record = new MobileRecord(id, core);
  const begun = await record.read('begun');
  if (!begun || isAhead(begun.since, core.clock.now())) return undefined;
  const seconds = Math.max(1, Math.ceil((begun.ends - core.clock.now()) / 1000) + graceSeconds);
  return { id, record, begun, seconds };
}

/** A session that can still be confirmed. */
export async function findOpenSession(id: string, core: TimedClaims): Promise<MobileSession | undefined> {
  const session = await findMobileSession(id, core);
  if (!session || core.clock.now() >= session.begun.ends) return undefined;
  return (await session.record.read('outcome')) ? undefined : session;
}

/** 1 confirmed, 2 waiting, 0 failed, over or unknown. */
export async function mobileResponse(id: string, core: TimedClaims): Promise<0 | 1 | 2> {
  const session = await findMobileSession(id, core);
  const outcome = await session?.record.read('outcome');
  if (outcome) return outcome.scanned ? 1 : 0;
  return session && core.clock.now() < session.begun.ends ? 2 : 0;
}

/** Remembers what the QR code carries, which is what a confirmation is judged by. */
export async function offerToken(session: MobileSession, offer: MobileParts['offer']): Promise<void> {
  await session.record.write('offer', offer, session.seconds);
}

/**
 * A session registers one token for one user: that of the first who asks, in whatever order registrations come.
 * @returns the parameter that is another's; undefined: the session is this one's, now or since it asked before
 */
export async function claimSession(
  { record, seconds }: MobileSession,
  wanted: { readonly user: Dn; readonly slot: number },
): Promise<'dn' | 'id' | undefined> {
  const isFirst = (await record.count('owners', { by: 1, limit: 1, seconds })) !== undefined;
  if (isFirst) await record.write('owner', { ...wanted, user: wanted.user.toString() }, seconds);
  const owner = await record.read('owner');
  if (!owner || !Dn.parse(owner.user).equals(wanted.user)) return 'dn';
  return owner.slot === wanted.slot ? undefined : 'id';
}

/** Whom the session is for already: named when it began, by its URI, or by a registration; undefined: nobody yet. */
export async function userOf({ begun, record }: MobileSession): Promise<Dn | undefined> {
  const user = begun.user ?? (await record.read('owner'))?.user ?? (await record.read('offer'))?.user;
  return user === undefined ? undefined : Dn.parse(user);
}

/**
 * A session registers the token that its QR code says.
 * @throws ServiceError `invalid_params` naming what differs: the key, which has to be one of the same type; the algorithm
 */
export function assertSame(
  { type, key, shape }: OfferedToken,
  registered: {
    readonly type: OfferedToken['type'];
    readonly secret: Uint8Array;
    readonly algorithm?: Algorithm | undefined;
  },
): void {
  const { secret, algorithm } = registered;
  if (type !== registered.type || !isSameSecret(Buffer.from(key, 'base64'), secret)) throw otherThan('key');
  if (algorithm !== undefined && algorithm !== (shape.algorithm ?? algorithmOf(secret)))
    throw otherThan('algorithm');
}

export const otherThan = (parameter: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${parameter} is not that of the session` });

export function isPincode({ id, begun }: MobileSession, pincode: string | undefined): boolean {
  if (begun.pincode === undefined) return true;
  const given = Buffer.from(hashOf(id, legible(pincode ?? '')), 'hex');
  return timingSafeEqual(given, Buffer.from(begun.pincode, 'hex'));
}

/** Returns the PIN without spaces around it, as people type it. Spaces alone are no PIN. */
const legible = (pincode: string): string => printable(pincode).trim();

/** Hashes a PIN with the session's id: the same PIN looks different in each session. */
const hashOf = (id: string, pincode: string): string => hash('sha256', `${id}:${pincode}`);
