/** Finds the user about whom an SSH server asks, as a login does, and checks the settings of SSH. */
import { findBadge } from '../../administration/badging/badge.ts';
import { texts } from '../../directory/entry/entry.ts';
import { posixRules } from '../../directory/posix.ts';
import { isReason, noSession } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Account, Found } from '../../login/account.ts';
import { nameOf } from '../../login/account.ts';
import { findAccount, findAccountAgain } from '../../login/account-lookup.ts';
import { type LoginContext, logIgnored, readContext } from '../../login/context.ts';
import type { AccountName, LoginRequest } from '../../login/request.ts';
import type { ContextCall, FindingView, Gate, LoginCall } from '../../login/view.ts';
import type { Log } from '../../ports/log/log.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Transaction } from '../../table/method.ts';
import { read } from '../../table/setting.ts';
import { readKey, type StoredKey } from './key-data.ts';
import { sshkeySettings } from './settings.ts';

/** The context of finding a user. */
export interface FindingCall extends FindingView, ContextCall {
  readonly domains: LoginCall['domains'];
  readonly log: Log;
  readonly transaction: Transaction;
  readonly store: Pick<Store, 'get'>;
}

export const sshGate: Gate = {
  isOpen: sshkeySettings.EnableLogin,
  from: sshkeySettings.ValidFrom,
  to: sshkeySettings.ValidTo,
};

export interface SshUser {
  readonly loginContext: LoginContext;
  readonly account: Account;
  readonly name: AccountName;
  readonly key: StoredKey | undefined;
}

/**
 * Undefined: there is no such user, or it may not log in over SSH; the log has why.
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address; `unavailable`
 */
export async function findSshUser(request: LoginRequest, call: FindingCall): Promise<SshUser | undefined> {
  const loginContext = readContext(request, call, sshGate);
  const found = await findAccount(loginContext, call);
  logIgnored(loginContext, found, call);
  return admitted(loginContext, found, call);
}

/**
 * The user of a session, as it is now.
 * @param whose the entry that it began with
 * @throws ServiceError `not_found`: it is there no more, or may not log in over SSH any more: its session is over
 */
export async function findSshUserAgain(
  whose: { readonly dn: Dn; readonly id: string },
  loginContext: LoginContext,
  call: FindingCall,
): Promise<SshUser> {
  const user = await admitted(loginContext, await findAccountAgain(whose.dn, loginContext, call), call);
  // A user created again under the same name is another one.
  if (user?.account.id !== whose.id) throw noSession();
  return user;
}

async function admitted(
  loginContext: LoginContext,
  found: Found,
  call: FindingCall,
): Promise<SshUser | undefined> {
  const why = found.account ? await whyOutside(loginContext, found.account, call) : found.reason;
  if (found.account && why === undefined) {
    const { account } = found;
    return { loginContext, account, name: nameOf(account), key: readKey(account.data) };
  }
  const { id: transaction, client } = call.transaction;
  call.log.info('no SSH for a user', { transaction, client, why });
  return undefined;
}

async function whyOutside(
  loginContext: LoginContext,
  account: Account,
  call: FindingCall,
): Promise<string | undefined> {
  const ofSystem = whyOfSystem(loginContext, account, call);
  if (ofSystem !== undefined) return ofSystem;
  const isOut =
    read(account.settings, sshkeySettings.SessionBadgeOut) && !(await findBadge(account.id, call));
  return isOut ? 'the user is not badged in' : whyNoMember(account, call);
}

/** sshd would let the user in as an account that is not the user's: by its name, or by its number. */
function whyOfSystem(
  { named }: LoginContext,
  account: Account,
  { presets }: Pick<FindingCall, 'presets'>,
): string | undefined {
  const rules = posixRules(presets);
  const wrong = rules.wrongName(named.name) ?? rules.wrongName(nameOf(account).username);
  if (wrong !== undefined) return wrong;
  const wrongs = (attribute: string, judge: (number: string) => string | undefined) =>
    texts(account.entry, attribute).map(judge);
  const all = [...wrongs('uidNumber', rules.wrongUid), ...wrongs('gidNumber', rules.wrongGid)];
  return all.find((one) => one !== undefined);
}

async function whyNoMember(
  { entry, settings }: Account,
  { memberships }: FindingCall,
): Promise<string | undefined> {
  const wanted = read(settings, sshkeySettings.AllowedGroup);
  if (wanted === undefined) return undefined;
  const group = Dn.tryParse(wanted);
  const outside = 'the user is not in the group that SSH is allowed to';
  if (!group) return outside;
  try {
    return (await memberships.among(entry, [group])).length > 0 ? undefined : outside;
  } catch (error) {
    if (isReason(error, 'not_found')) return outside;
    throw error;
  }
}
