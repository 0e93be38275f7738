/**
 * The state of codes on an entry. It is written by compare-and-swap before a code is good for a login: of all who use one code
 * at the same time one succeeds, and a code whose state cannot be written is not claimed. An error between this write and the
 * claim costs the user the code, and makes no code good twice.
 */
import { type DataChanges, type EntryRef, type StoredData, swapData } from '../directory/data/data.ts';
import { missingRight } from '../directory/missing-right.ts';
import { isReason, ServiceError } from '../foundation/errors/errors.ts';
import type { Dn } from '../foundation/text/dn.ts';
import { isSameSecret } from '../foundation/text/secret/same-secret.ts';
import type { StateContext } from './authenticator.ts';
import type { AnyState, Token } from './token.ts';
import { progressOf, readTokens, tokenChanges } from './token-data.ts';

/** The outcome of a write: this login's, another login's, or refused by the directory. */
export type StateWrite = 'ours' | 'taken' | 'unkept';

/** Returns the changes to the data of an entry; none if another login has made them. */
type Next = (stored: StoredData) => DataChanges;

/** Writes a state that decides whether a code is claimed. */
export const keepState = (entryRef: EntryRef, next: Next, context: StateContext): Promise<StateWrite> =>
  writeState(entryRef, next, { context, level: 'error' });

/** Writes a state that is claimed elsewhere, so that a failure is only a warning. */
export const noteState = (entryRef: EntryRef, next: Next, context: StateContext): Promise<StateWrite> =>
  writeState(entryRef, next, { context, level: 'warn' });

type Level = 'error' | 'warn';

async function writeState(
  entryRef: EntryRef,
  next: Next,
  { context, level }: { context: StateContext; level: Level },
): Promise<StateWrite> {
  let isAhead = false;
  const noted = (stored: StoredData): DataChanges => {
    const changes = next(stored);
    isAhead = changes.size > 0;
    return changes;
  };
  try {
    await swapData(entryRef, noted, context);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await logUnkept(entryRef.dn, error, { view: context, level });
    return 'unkept';
  }
  return isAhead ? 'ours' : 'taken';
}

/** Logs for the operator which entry could not be written, by whom, and the cure. */
export async function logUnkept(
  dn: Dn,
  error: ServiceError,
  {
    view,
    level,
  }: { view: Omit<StateContext, 'directory' | 'keys' | 'names' | 'applications'>; level: Level },
): Promise<void> {
  const attribute = view.config.schema.data_attribute;
  const { cure, ...where } = await missingRight(dn, { right: `write access to ${attribute}` }, view);
  view.log[level]('the state of a one-time password could not be written', {
    ...where,
    attribute,
    ...(isReason(error, 'permission_denied') && { cure }),
    error,
  });
}

/** Returns what `swapData` writes when a code is used; nothing if the token was replaced or is as far: a state never goes back. */
export function tokenUse(stored: Pick<StoredData, 'get'>, token: Token, to: AnyState): DataChanges {
  const now = readTokens(stored).find(({ slot }) => slot === token.slot);
  return now && isBehind(now, token, to) ? tokenChanges(token.slot, { state: to.state }) : new Map();
}

/** Returns whether the stored token is still the same, with a lower state. */
function isBehind(now: Token, token: Token, { type, state }: AnyState): boolean {
  const isSame = now.type === type && isSameSecret(now.secret, token.secret);
  return isSame && progressOf(now.state) < progressOf(state);
}
