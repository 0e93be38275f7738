/** Methods for blocks of users and for the state of users in the limits (docs/concepts/limits.md#block). */

import { emergencyKey, listKey, tokenKey } from '../../authenticators/claim-keys.ts';
import { readEmergency, readList } from '../../authenticators/lists.ts';
import { readTokens } from '../../authenticators/token-data.ts';
import { type EntryProfile, readProfile } from '../../directory/data/profile.ts';
import type { ProfileContext } from '../../directory/view.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Limits } from '../../limits/limits.ts';
import { absentUserKey, userKey } from '../../limits/source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyRing } from '../../ports/keys.ts';
import { lockoutRules } from '../policy/lockout-rules.ts';

/** The authenticators of a user, and its limits. */
export interface BlockView extends ProfileContext {
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly limits: Limits;
}

/** The block state of a user, in the scope that is refused longest. */
export interface BlockState {
  /** 0: the user is not refused. */
  readonly seconds: number;
  /** Wrong passwords in a row, wherever. */
  readonly wrongPasswords: number;
  /** The most wrong codes in a row of what the user has. */
  readonly wrongCodes: number;
}

/** The seconds of a block that only an administrator ends: practically unlimited. */
const untilUnblocked = 100 * 365 * 86_400;

export const lookAtBlock = async (dn: Dn, view: BlockView): Promise<BlockState> =>
  blockOf(await readProfile(dn, view), view);

/** The same of a user who has been read. */
export async function blockOf(profile: EntryProfile, view: BlockView): Promise<BlockState> {
  const { limits } = view;
  const user = userKey(profile.dn);
  const [state, refusal] = [
    await limits.look(user, 'web'),
    await limits.refusal(user, lockoutRules(profile.settings)),
  ];
  const wrong = await Promise.all(secretKeys(profile, view).map((key) => limits.wrongCodes(key)));
  return {
    seconds: refusal ? (refusal.secondsLeft ?? untilUnblocked) : 0,
    wrongPasswords: state.wrongPasswords,
    wrongCodes: Math.max(0, ...wrong.map((one) => one.wrong)),
  };
}

/** @param seconds optional; default: without end */
export async function startBlock(dn: Dn, seconds: number | undefined, view: BlockView): Promise<void> {
  const profile = await readProfile(dn, view);
  await view.limits.block(userKey(profile.dn), seconds);
}

/** Lets the user in again, with all failures forgotten, and with all wrong codes of what the user has. */
export async function resetBlock(dn: Dn, view: BlockView): Promise<void> {
  const profile = await readProfile(dn, view);
  await view.limits.reset(userKey(profile.dn), secretKeys(profile, view));
}

/**
 * Breaking glass, before any directory is asked: ends what refuses a user, at the web services and the Manager, and the
 * counters of strangers' passwords at the directory. Wrong codes are counted under what the entry holds: they come last.
 * @throws ServiceError as a directory does; all but the codes is done then
 */
export async function releaseUser(dn: Dn, view: BlockView): Promise<void> {
  const { limits, keys } = view;
  await Promise.all([userKey(dn), absentUserKey(dn, keys)].map((user) => limits.release(user, [])));
  const profile = await readProfile(dn, view);
  await limits.release(userKey(profile.dn), secretKeys(profile, view));
}

/** Returns the keys of the user's authenticators, disabled and expired ones too. */
function secretKeys({ dn, data }: EntryProfile, { clock, keys }: BlockView): readonly string[] {
  const [list, emergency] = [readList(data), readEmergency(data, clock.now())];
  return [
    ...readTokens(data).map((token) => tokenKey(token, keys)),
    ...(list ? [listKey(list, keys)] : []),
    ...(emergency ? [emergencyKey(dn, emergency, keys)] : []),
  ];
}
