/** What an account is called, whatever spelling and attribute it logged in by: callers keep accounts of their own by it. */
import { texts } from '../../directory/entry/entry.ts';
import type { AccountName, LoginOutcome } from '../login-request.ts';
import type { Account } from './account.ts';

/** Of several login names the one in the DN, else the first in the alphabet: directories keep values in no order. */
export function nameOf({ dn, entry, domain }: Pick<Account, 'dn' | 'entry' | 'domain'>): AccountName {
  const names = domain.loginAttributes
    .map((attribute) => texts(entry, attribute))
    .find(({ length }) => length > 0);
  const inDn = dn.rdn.map(({ value }) => String(value).toLowerCase());
  const sorted = [...(names ?? [])].sort();
  const username = sorted.find((name) => inDn.includes(name.toLowerCase())) ?? sorted[0];
  return { username: username ?? dn.format(), domain: domain.name };
}

/** A login that was granted, with the name of the account. */
export function naming(outcome: LoginOutcome, account: Account | undefined): LoginOutcome {
  if (outcome.kind !== 'granted' || !account) return outcome;
  // Each field by itself: of what is spread before another field V8 makes a new shape each time.
  const { kind, data, concat, by } = outcome;
  return { kind, data, concat, by, account: nameOf(account) };
}
