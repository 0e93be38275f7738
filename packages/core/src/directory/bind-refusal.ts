/** Why a password logs nobody in, in the words of the event log; whoever tried it is told less. */
import type { Authentication, BindRefusal } from '../ports/directory/directory.ts';

export const wrongPassword = 'wrong password';

const words: Readonly<Record<BindRefusal, string>> = {
  wrong_password: wrongPassword,
  account_disabled: 'the directory has disabled the account',
  account_locked: 'the directory has locked the account',
  account_expired: 'the account has expired in the directory',
  password_expired: 'the password has expired',
  not_permitted_now: 'the directory permits no login at this time',
};

/** Undefined: it does. A password that is good only for setting another one does not: a login cannot offer that. */
export function whyNoLogin(found: Authentication): string | undefined {
  if (!found.granted) return words[found.refusal];
  return found.mustChange ? 'the password has to be changed first' : undefined;
}
