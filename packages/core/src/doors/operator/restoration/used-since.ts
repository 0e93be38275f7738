/**
 * Invalidates codes that may have been used since a copy of a user's data. The copy does not tell how many codes of a HOTP token were
 * used, so its counter rises by the maximum. Printed lists and emergency passwords are removed, as their remaining uses are unknown.
 */

import { tokenKey } from '../../../authenticators/claim-keys.ts';
import { emergencyChanges, hasEmergency, listChanges, readList } from '../../../authenticators/lists.ts';
import type { HotpState, Token } from '../../../authenticators/token.ts';
import { readTokens, tokenChanges } from '../../../authenticators/token-data.ts';
import type { DataChanges, StoredData } from '../../../directory/data/data.ts';
import type { KeyRing } from '../../../ports/keys.ts';

/** The number of things that were closed for one user. */
export interface Closed {
  /** HOTP tokens whose counter was raised. */
  readonly tokens: number;
  readonly lists: number;
  readonly emergencies: number;
}

export const nothingClosed: Closed = { tokens: 0, lists: 0, emergencies: 0 };

export interface Closing {
  /** The most codes of one token that may have been used since the copy. */
  readonly uses: number;
  /** Keeps the target of a token and returns the first one kept, so that a repeated restore raises the token no further. */
  readonly note: (token: string, target: number) => Promise<number>;
}

/** The owner of tokens. Another owner with the same secret has counters of its own. */
export interface Owner {
  /** The identifier of the entry. */
  readonly entry: string;
  readonly keys: KeyRing;
}

const nameOf = (token: Token, { entry, keys }: Owner): string => `${entry}:${tokenKey(token, keys)}`;

/** The counters that HOTP tokens of an entry are raised to. */
export type Targets = ReadonlyMap<string, number>;

/** Notes the targets of an entry. @throws ServiceError `internal` if a secret cannot be read */
export async function noteTargets(
  stored: StoredData,
  owner: Owner,
  { uses, note }: Closing,
): Promise<Targets> {
  const tokens = countingTokens(stored).map(async (token) => {
    const key = nameOf(token, owner);
    return [key, await note(key, token.state.counter + uses + 1)] as const;
  });
  return new Map(await Promise.all(tokens));
}

/** Returns what `swapData` writes, and what that closes. */
export function closeUsed(
  stored: StoredData,
  owner: Owner,
  targets: Targets,
): { readonly changes: DataChanges; readonly closed: Closed } {
  const raised = countingTokens(stored).flatMap((token) => {
    const counter = targets.get(nameOf(token, owner)) ?? 0;
    return counter > token.state.counter ? [tokenChanges(token.slot, { state: { counter } })] : [];
  });
  const list = readList(stored);
  const hasUnused = list !== undefined && list.used.size < list.size;
  const changes = [
    ...raised,
    ...(hasUnused ? [listChanges(undefined)] : []),
    ...(hasEmergency(stored) ? [emergencyChanges(undefined)] : []),
  ];
  const closed = {
    tokens: raised.length,
    lists: hasUnused ? 1 : 0,
    emergencies: hasEmergency(stored) ? 1 : 0,
  };
  return { changes: new Map(changes.flatMap((each) => [...each])), closed };
}

const countingTokens = (stored: StoredData): readonly (Token & { readonly state: HotpState })[] =>
  // A verification server still knows the codes that it has claimed.
  readTokens(stored).flatMap((token) => (token.type === 'TOTP' || token.type === 'YUBICLOUD' ? [] : [token]));
