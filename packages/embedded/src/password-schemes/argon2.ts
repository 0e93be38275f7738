/** argon2, RFC 9106, in the form that OpenLDAP's module of the name writes and verifies. */
import * as argon2 from '@node-rs/argon2';
import type { Check } from './check.ts';

/** What argon2id takes for a hash: KiB, passes, lanes (RFC 9106 §3.1). */
export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/**
 * 7 MiB, five passes, one lane: of the five settings that OWASP calls equal, the one that takes the least of a processor,
 * some 7 ms. What was hashed by another one is verified by it.
 */
export const usualCost: HashCost = { memoryCost: 7168, timeCost: 5, parallelism: 1 };
/** Stored hashes that ask for more (KiB, KiB × passes) would take the server down. */
const mostMemory = 524_288;
const mostWork = 4 * 1_048_576;

/** For hashes that nobody keeps. */
const nobodysSalt = Buffer.from('nobody has this');

/** The hash of a new password. */
export const hash = (password: string, salt: Uint8Array, cost: HashCost): Promise<string> =>
  argon2.hash(password, { ...cost, salt });

/** Costs what a password of ours costs, and never matches. */
export async function standIn(password: string, cost: HashCost): Promise<false> {
  await hash(password, nobodysSalt, cost);
  return false;
}

/** Undefined if it is malformed or asks for too much. */
export function argon2Check(hashed: string): Check | undefined {
  if (!isBearable(hashed)) return undefined;
  return (password) => argon2.verify(hashed, password).catch(() => standIn(password, usualCost));
}

function isBearable(hashed: string): boolean {
  try {
    const { memoryCost, timeCost } = argon2.parseOptions(hashed);
    return memoryCost <= mostMemory && memoryCost * timeCost <= mostWork;
  } catch {
    return false; // not an argon2 hash at all
  }
}
