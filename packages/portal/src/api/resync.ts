/** Resynchronises a token by codes that it shows now. */
import type { Manager } from './manager.ts';
import { codeIn } from './offered-token.ts';

export interface Resync {
  readonly dn: string;
  readonly id: number;
  /** The kind of token, as the server names it. */
  readonly type: string;
  /** The typed codes; the second one only for an event-based token. */
  readonly codes: readonly [first: string, second: string];
}

/** Returns whether a token of this kind counts, so that two codes in a row are needed. */
export const isByCounter = (type: string): boolean => type === 'HOTP';

/** @returns whether the codes were found */
export async function resyncToken(manager: Manager, { dn, id, type, codes }: Resync): Promise<boolean> {
  const [first, second] = codes;
  const found = isByCounter(type)
    ? await manager.Otp.HOTP_Resync_Sequence({ dn, id, otp1: codeIn(first), otp2: codeIn(second) })
    : await manager.Otp.TOTP_Resync({ dn, id, otp: codeIn(first) });
  return found !== false;
}
