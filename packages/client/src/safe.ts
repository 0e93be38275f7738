/** Failures as values: a wrapper that returns the error of a call instead of throwing it. */
import type { Settled } from './calls.ts';
import { CallError } from './errors.ts';

/**
 * Returns the end of a call as a value: of a method, an operation, or a batch as a whole.
 * `batchSettled` has the end of each call of a batch.
 * @param call the promise of a call
 * @returns `{ ok: true, value }`, or `{ ok: false, error }` with the {@link CallError}
 * @throws only what is no {@link CallError}: a mistake of the program
 * @see docs/reference/errors.md
 * @example
 * ```ts
 * import { createManager, safe } from '@watchword/client';
 *
 * const url = 'https://login.example.org:4443/manag/';
 * const manager = createManager({ url, username: 'admin', password: process.env.PASSWORD ?? '' });
 * const found = await safe(manager.Get_User_DN({ username: 'alice', domain: 'Default' }));
 * if (!found.ok && found.error.reason !== 'not_found') throw found.error;
 * ```
 */
export async function safe<Result>(call: Promise<Result>): Promise<Settled<Result>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof CallError) return { ok: false, error };
    throw error;
  }
}
