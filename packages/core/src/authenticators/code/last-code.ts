/**
 * The last code of a token, which stays good for `LastOTPTime` seconds after its login (default: not at all): for the
 * same user, from the same place, as long as no other code was used. A connection that breaks comes back so without a
 * wait for the next code. What was seen elsewhere is no use there.
 */

import { hash } from 'node:crypto';
import type { Store } from '../../ports/store.ts';
import { read } from '../../table/setting.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import { codeSettings } from '../settings.ts';
import type { TimedClaims } from '../view.ts';
import type { Authenticator, CodeHolder, RightCode } from './authenticator.ts';

/** What the store keeps, sealed. */
interface LastCode {
  readonly code: string;
  /** That of the authenticator, so a token that is replaced or disabled takes its last code along. */
  readonly of: string;
  readonly place: string;
  /** How far the token had come with it: further, another code has been used, if only at a node with another store. */
  readonly reached: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The same authenticator, whose last code is good again. */
export function lasting(inner: Authenticator, account: CodeHolder, view: TimedClaims): Authenticator {
  const seconds = read(account.settings, codeSettings.LastOTPTime);
  const { place } = account;
  if (seconds === 0 || place === undefined) return inner;
  const last = { of: inner.key, place, reached: inner.reached ?? 0 };
  const keep = (code: string, { reached = 0 }: RightCode) =>
    keepLast({ ...last, code, reached }, seconds, { account, view });
  return {
    ...inner,
    find: async (code) => {
      const right = await inner.find(code);
      if (right) return keeping(right, () => keep(code, right));
      return (await isLast({ ...last, code }, seconds, { account, view })) ? again : undefined;
    },
  };
}

/** Used up already, by the login that it was first good for; the time runs from that one. */
const again: RightCode = { factor: 'TOKEN', use: async () => 'ours' };

const keeping = (right: RightCode, keep: () => Promise<void>): RightCode => ({
  ...right,
  use: async () => {
    const use = await right.use();
    if (use === 'ours') await keep();
    return use;
  },
});

interface AccountView {
  readonly account: CodeHolder;
  readonly view: TimedClaims;
}

async function keepLast(
  last: Omit<LastCode, 'since'>,
  seconds: number,
  { account, view }: AccountView,
): Promise<void> {
  const key = lastCodeKey(account);
  const record: LastCode = { ...last, code: compact(last.code), since: view.clock.now() };
  await view.store.put(key, view.keys.seal(Buffer.from(JSON.stringify(record)), key), seconds);
}

async function isLast(
  given: Omit<LastCode, 'since'>,
  seconds: number,
  { account, view }: AccountView,
): Promise<boolean> {
  const key = lastCodeKey(account);
  const sealed = await view.store.get(key);
  if (!sealed) return false;
  const last: LastCode = JSON.parse(Buffer.from(view.keys.open(sealed, key)).toString('utf8'));
  const isSame = isSameSecret(compact(given.code), last.code);
  const age = view.clock.now() - last.since;
  const isOfThis = given.of === last.of && given.place === last.place && given.reached <= last.reached;
  return isSame && isOfThis && age >= 0 && age < seconds * 1000;
}

/** Where a token comes or goes: the last code of a former one is not good again with the same secret. */
export const forgetLastCode = (holder: Pick<CodeHolder, 'id'>, store: Store): Promise<void> =>
  store.remove(lastCodeKey(holder));

const compact = (code: string): string => code.replace(/\s+/g, '');
/** What the store keeps last codes under. */
export const lastCodeFamily = 'last-code';

/** One for each user: another code, of whatever token, ends it. */
const lastCodeKey = ({ id }: Pick<CodeHolder, 'id'>): string => `${lastCodeFamily}:${hash('sha256', id)}`;
