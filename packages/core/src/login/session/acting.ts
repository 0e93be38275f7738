/** A user for whom a calling system does something, without a password: the system is one that may say who somebody is. */
import { userKey } from '../../limits/kept/users-and-places.ts';
import type { Limits } from '../../limits/limits.ts';
import { type Account, findAccount } from '../account/account.ts';
import { readVisit, tellIgnored, type Visit } from '../attempt/login-visit.ts';
import type { LoginRequest } from '../login-request.ts';
import type { LoginCall } from '../view.ts';

export interface ActingCall extends LoginCall {
  readonly limits: LoginCall['limits'] & Pick<Limits, 'look'>;
}

export interface ActingUser {
  readonly account: Account;
  readonly visit: Visit;
}

/**
 * Undefined: there is no such user, or it may not log in; the log has why.
 * @param what it is wanted for, for the log: `no single sign-on for a user`
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address; `unavailable`
 */
export async function findActing(
  request: LoginRequest,
  what: string,
  call: ActingCall,
): Promise<ActingUser | undefined> {
  const visit = readVisit(request, call);
  const found = await findAccount(visit, call);
  tellIgnored(visit, found, call);
  const { account } = found;
  const why = account ? await whyBlocked(account, call) : found.why;
  if (account && why === undefined) return { account, visit };
  const { id: transaction, client } = call.transaction;
  call.log.info(what, { transaction, client, why });
  return undefined;
}

/** Rule 10 of concepts.md §7. Whom failures refuse for a while has logged in all the same: the calling system says so. */
async function whyBlocked({ dn }: Account, { limits }: ActingCall): Promise<string | undefined> {
  const { block } = await limits.look(userKey(dn), 'web');
  return block && 'an administrator has blocked the user';
}
