/**
 * Blocks of users: after `MaxTries` failures, for `BlockTime` (concepts.md §4, 7), or by an administrator. Wrong
 * passwords and wrong codes are counted apart, by what the user is known by however it is called.
 */
import type { Core } from '../core.ts';
import type { Dn } from '../directory/dn.ts';
import type { View } from '../method.ts';
import { type Subject, userSubject } from '../throttle.ts';
import type { Account } from './account.ts';
import { readHolder } from './token-holder.ts';

/** `BlockTime` 0, and a block without an end: until an administrator unblocks. */
const untilUnblocked = 100 * 365 * 86_400;

/** However long a block: typing errors of years do not add up, and names that nobody has do not fill the store. */
const longestMemory = 86_400;

/** Whose failures are counted. @param account undefined: nobody's, who is counted like anybody */
export function blockSubjects(
  dn: Dn,
  account: Pick<Account, 'id' | 'settings'> | undefined,
  core: Core,
): { readonly user: Subject; readonly token: Subject } {
  const block = blockOf(account, core);
  return {
    user: { ...userSubject(dn, core.config.limits), ...block },
    token: { key: `token:${account?.id ?? dn.key}`, ...block },
  };
}

function blockOf(
  account: Pick<Account, 'settings'> | undefined,
  core: Core,
): Pick<Subject, 'failures' | 'windowSeconds' | 'blockSeconds'> {
  const settings = account?.settings ?? core.presets;
  const wanted = Number(settings.get('Otp.BlockTime') ?? 300) || untilUnblocked;
  const memory = Math.min(wanted, longestMemory);
  return {
    failures: Math.max(1, Number(settings.get('Otp.MaxTries') ?? 5) || 1),
    windowSeconds: memory,
    blockSeconds: account ? wanted : memory,
  };
}

/** How a user stands. */
export interface BlockState {
  /** 0: the user is not blocked. */
  readonly seconds: number;
  /** Those that count at the moment. */
  readonly wrongPasswords: number;
  readonly wrongCodes: number;
}

export async function lookAtBlock(dn: Dn, view: View): Promise<BlockState> {
  const { user, token } = blockSubjects(dn, await readHolder(dn, view), view.core);
  const [password, code] = await Promise.all([view.core.throttle.look(user), view.core.throttle.look(token)]);
  const seconds = Math.max(password.blockedSeconds, code.blockedSeconds);
  return { seconds, wrongPasswords: password.failures, wrongCodes: code.failures };
}

/** @param seconds left out: until it is reset */
export async function startBlock(dn: Dn, seconds: number | undefined, view: View): Promise<void> {
  const { user } = blockSubjects(dn, await readHolder(dn, view), view.core);
  await view.core.throttle.block(user, seconds ?? untilUnblocked);
}

/** Lets the user in again, with all failures forgotten. */
export async function resetBlock(dn: Dn, view: View): Promise<void> {
  const { user, token } = blockSubjects(dn, await readHolder(dn, view), view.core);
  await Promise.all([view.core.throttle.reset(user), view.core.throttle.reset(token)]);
}
