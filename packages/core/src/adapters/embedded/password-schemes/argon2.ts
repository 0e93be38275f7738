/** argon2, RFC 9106, in the form that OpenLDAP's module of the name writes and verifies. */
import * as argon2 from '@node-rs/argon2';
import type { Check } from './check.ts';

/**
 * Argon2id (RFC 9106) with 7 MiB (KiB here), five passes, one lane: of the five settings that OWASP calls equal, the one that
 * takes the least of a processor, some 7 ms. What was hashed by another one is verified by it.
 */
const argon2id = { memoryCost: 7168, timeCost: 5, parallelism: 1 };
/** Stored hashes that ask for more (KiB, KiB × passes) would take the server down. */
const mostMemory = 524_288;
const mostWork = 4 * 1_048_576;

/** Hash of a password that nobody has, for names that do not exist. */
const nobody =
  '$argon2id$v=19$m=7168,t=5,p=1$bm9ib2R5IGhhcyB0aGlz$MqEVWxSEiRbrVAqu1rpT4i7YyLzD4XGG8WMjTbMbBTY';

/** The hash of a new password. */
export const hash = (password: string, salt: Uint8Array): Promise<string> =>
  argon2.hash(password, { ...argon2id, salt });

/** Costs what a password of ours costs, and never matches. */
export async function standIn(password: string): Promise<false> {
  await argon2.verify(nobody, password);
  return false;
}

/** Undefined if it is malformed or asks for too much. */
export function argon2Check(hashed: string): Check | undefined {
  if (!isBearable(hashed)) return undefined;
  return (password) => argon2.verify(hashed, password).catch(() => standIn(password));
}

function isBearable(hashed: string): boolean {
  try {
    const { memoryCost, timeCost } = argon2.parseOptions(hashed);
    return memoryCost <= mostMemory && memoryCost * timeCost <= mostWork;
  } catch {
    return false; // not an argon2 hash at all
  }
}
