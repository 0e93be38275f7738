/** What an account is called, whatever spelling and attribute it logged in by: callers keep accounts of their own by it. */
import { texts } from '../../directory/entry/entry.ts';
import type { AccountName, LoginOutcome } from '../login-request.ts';
import type { Account } from './account.ts';

/** Of several login names the one in the DN, else the first in the alphabet: directories keep values in no order. */
export function nameOf({ dn, entry, domain }: Pick<Account, 'dn' | 'entry' | 'domain'>): AccountName {
  const names = namesOf(entry, domain);
  const [only = dn.format()] = names;
  if (names.length <= 1) return { username: only, domain: domain.name };
  const inDn = dn.rdn.map(({ value }) => String(value).toLowerCase());
  const sorted = names.toSorted();
  const username = sorted.find((name) => inDn.includes(name.toLowerCase())) ?? sorted[0];
  return { username: username ?? only, domain: domain.name };
}

/** Of the first attribute that has any. */
function namesOf(entry: Account['entry'], { loginAttributes }: Account['domain']): readonly string[] {
  for (const attribute of loginAttributes) {
    const names = texts(entry, attribute);
    if (names.length > 0) return names;
  }
  return [];
}

/** A login that was granted, with the name of the account. */
export function naming(outcome: LoginOutcome, account: Account | undefined): LoginOutcome {
  if (outcome.kind !== 'granted' || !account) return outcome;
  // Each field by itself: of what is spread before another field V8 makes a new shape each time.
  const { kind, data, concat, by } = outcome;
  return { kind, data, concat, by, account: nameOf(account) };
}
