/** Failures as values: a wrapper that returns the error of a call instead of throwing it. */
import type { Settled } from './calls.ts';
import { CallError } from './errors.ts';

/**
 * How a call ended: a method, an operation, or a batch as a whole.
 *
 * ```ts
 * const found = await safe(manager.Get_User_DN({ username, domain: 'Default' }));
 * if (found.ok) use(found.value);
 * else if (found.error.reason === 'not_found') create();
 * ```
 * How each call of a batch ended, `batchSettled` tells.
 * @throws only what is no {@link CallError}: a mistake of the program
 */
export async function safe<Result>(call: Promise<Result>): Promise<Settled<Result>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof CallError) return { ok: false, error };
    throw error;
  }
}
