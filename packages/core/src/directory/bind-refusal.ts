/** Reasons of refused passwords in the words of the event log. Callers get fewer details. */
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

/** Returns why an authentication permits no login; undefined if it does. A password that has to be changed permits none. */
export function whyNoLogin(found: Authentication): string | undefined {
  if (!found.granted) return words[found.refusal];
  return found.mustChange ? 'the password has to be changed first' : undefined;
}
