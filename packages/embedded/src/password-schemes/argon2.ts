/** argon2, RFC 9106, in the form of OpenLDAP's module argon2. */
import * as argon2 from '@node-rs/argon2';
import type { Check } from './check.ts';

/** The cost of an argon2id hash: KiB, passes, lanes (RFC 9106 §3.1). */
export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** The cheapest of the five settings that OWASP calls equal: some 7 ms of a processor. Other hashes are verified by their own settings. */
export const usualCost: HashCost = { memoryCost: 7168, timeCost: 5, parallelism: 1 };
/** Limits of stored hashes (KiB, KiB × passes): a more expensive one would overload the server. */
const mostMemory = 524_288;
const mostWork = 4 * 1_048_576;

/** The salt of hashes that are not stored. */
const dummySalt = Buffer.from('nobody has this');

/** Hashes a new password. */
export const hash = (password: string, salt: Uint8Array, cost: HashCost): Promise<string> =>
  argon2.hash(password, { ...cost, salt });

/** Takes the time of a check, and never matches. */
export async function dummyCheck(password: string, cost: HashCost): Promise<false> {
  await hash(password, dummySalt, cost);
  return false;
}

/** Returns undefined for a hash that is malformed or too expensive. */
export function argon2Check(hashed: string): Check | undefined {
  if (!isAffordable(hashed)) return undefined;
  return (password) => argon2.verify(hashed, password).catch(() => dummyCheck(password, usualCost));
}

function isAffordable(hashed: string): boolean {
  try {
    const { memoryCost, timeCost } = argon2.parseOptions(hashed);
    return memoryCost <= mostMemory && memoryCost * timeCost <= mostWork;
  } catch {
    return false; // not an argon2 hash
  }
}
