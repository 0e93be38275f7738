/**
 * Blocks of users: after `MaxTries` failures, for `BlockTime` (concepts.md §4, 7), or by an administrator. Wrong
 * passwords and wrong codes are counted apart, by what the user is known by however it is called.
 */

import type { Core } from '../core.ts';
import type { Dn } from '../directory/dn.ts';
import type { Settings } from '../directory/settings.ts';
import type { View } from '../method.ts';
import { read } from '../setting.ts';
import { type Subject, userSubject } from '../throttle.ts';
import type { Account, Preset } from './account.ts';
import { emergencyKey, readEmergency } from './emergency.ts';
import { listKey, readList } from './list.ts';
import { otpSettings } from './settings.ts';
import { tokenKey } from './token.ts';
import { readTokens } from './token-data.ts';
import { readHolder, type TokenHolder } from './token-holder.ts';
import { forgetWrongCodes } from './wrong-codes.ts';

/** `BlockTime` 0, and a block without an end: until an administrator unblocks. */
const untilUnblocked = 100 * 365 * 86_400;

/** However long a block: typing errors of years do not add up, and names that nobody has do not fill the store. */
const longestMemory = 86_400;

/** Whose failures are counted: wrong passwords of the user, wrong codes of what the user has. */
export function blockSubjects(
  dn: Dn,
  {
    account,
    preset,
  }: {
    readonly account?: Pick<Account, 'id' | 'settings'> | undefined;
    readonly preset?: Preset | undefined;
  },
  core: Core,
): { readonly user: Subject; readonly token: Subject } {
  const settings = account?.settings ?? preset?.settings ?? core.presets;
  const block = blockOf(settings, account === undefined);
  return {
    user: { ...userSubject(dn, core.config.limits), ...block },
    token: { key: `token:${account?.id ?? dn.key}`, ...block },
  };
}

function blockOf(
  settings: Settings,
  isNobody: boolean,
): Pick<Subject, 'failures' | 'windowSeconds' | 'blockSeconds'> {
  const wanted = read(settings, otpSettings.BlockTime) || untilUnblocked;
  const memory = Math.min(wanted, longestMemory);
  return {
    failures: read(settings, otpSettings.MaxTries),
    windowSeconds: memory,
    blockSeconds: isNobody ? memory : wanted,
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
  const { user, token } = blockSubjects(dn, { account: await readHolder(dn, view) }, view.core);
  const [password, code] = await Promise.all([view.core.throttle.look(user), view.core.throttle.look(token)]);
  const seconds = Math.max(password.blockedSeconds, code.blockedSeconds);
  return { seconds, wrongPasswords: password.failures, wrongCodes: code.failures };
}

/** @param seconds left out: until it is reset */
export async function startBlock(dn: Dn, seconds: number | undefined, view: View): Promise<void> {
  const { user } = blockSubjects(dn, { account: await readHolder(dn, view) }, view.core);
  await view.core.throttle.block(user, seconds ?? untilUnblocked);
}

/** Lets the user in again, with all failures forgotten, and with all wrong codes of what the user has. */
export async function resetBlock(dn: Dn, view: View): Promise<void> {
  const { store, throttle } = view.core;
  const account = await readHolder(dn, view);
  const { user, token } = blockSubjects(dn, { account }, view.core);
  const keys = secretKeys(account, view.core);
  await Promise.all([
    ...[user, token].map((subject) => throttle.reset(subject)),
    ...keys.map((key) => forgetWrongCodes(key, store)),
  ]);
}

/** What a user has, disabled and expired tokens too. */
function secretKeys({ id, data }: TokenHolder, { clock }: Core): readonly string[] {
  const [list, emergency] = [readList(data), readEmergency(data, clock.now())];
  return [
    ...readTokens(data).map((token) => tokenKey(id, token)),
    ...(list ? [listKey(id, list)] : []),
    ...(emergency ? [emergencyKey(id, emergency)] : []),
  ];
}
