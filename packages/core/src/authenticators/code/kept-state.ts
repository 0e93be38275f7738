/**
 * The state that an entry keeps of its codes. It is written before a code is good for a login, by compare-and-swap:
 * a code whose state cannot be kept is not used up, and of all who use one code at the same time one is ahead. What is
 * lost between this and the claim in the store is the user's code, never its being good once only.
 */

import { type DataChanges, type Holder, type StoredData, swapData } from '../../directory/data/data.ts';
import { missingRight } from '../../directory/missing-right.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { StateView } from '../view.ts';

/** What came of using a code: it is this login's alone, somebody was faster, or the entry takes no change. */
export type Use = 'ours' | 'taken' | 'unkept';

/** What is to be written, from what is there; an empty map: that is as far already, and somebody else was faster. */
type Next = (stored: StoredData) => DataChanges;

/** Takes the state of an entry forward, on which it depends whether a code is used. */
export const keepState = (holder: Holder, next: Next, view: StateView): Promise<Use> =>
  writeState(holder, next, { view, level: 'error' });

/** The same for what is guarded elsewhere, and only better written down. */
export const noteState = (holder: Holder, next: Next, view: StateView): Promise<Use> =>
  writeState(holder, next, { view, level: 'warn' });

type Level = 'error' | 'warn';

async function writeState(
  holder: Holder,
  next: Next,
  { view, level }: { view: StateView; level: Level },
): Promise<Use> {
  let isAhead = false;
  const noted = (stored: StoredData): DataChanges => {
    const changes = next(stored);
    isAhead = changes.size > 0;
    return changes;
  };
  try {
    await swapData(holder, noted, view);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await tellUnkept(holder.dn, error, { view, level });
    return 'unkept';
  }
  return isAhead ? 'ours' : 'taken';
}

/** For the operator: whose state it is, where it should go, who may not put it there, and what to do about it. */
export async function tellUnkept(
  dn: Dn,
  error: ServiceError,
  { view, level }: { view: Omit<StateView, 'directory' | 'keys' | 'names' | 'applications'>; level: Level },
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
