/**
 * What the data of a user hold that may have been used since they were kept, where an older copy of them came back.
 * How often a code of a HOTP token was used is not in the copy: the counter is raised by the most that there may have
 * been. Of a list or an emergency password nobody knows which uses are left: they go.
 */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import type { KeyRing } from '../../ports/keys.ts';
import { emergencyChanges, hasEmergency } from '../list/emergency.ts';
import { listChanges, readList } from '../list/list.ts';
import type { HotpState, Token } from '../token/token.ts';
import { readTokens, tokenChanges } from '../token/token-data.ts';
import { tokenKey } from './claim-keys.ts';

/** What was closed of one user. */
export interface Closed {
  /** HOTP tokens whose counter was raised. */
  readonly tokens: number;
  readonly lists: number;
  readonly emergencies: number;
}

export const nothingClosed: Closed = { tokens: 0, lists: 0, emergencies: 0 };

export interface Closing {
  /** The most codes of one token that may have been used since. */
  readonly uses: number;
  /**
   * Keeps what a token is raised to before it is, and gives what was kept first: a restore that begins again finds it
   * raised, and raises it no further.
   */
  readonly note: (token: string, target: number) => Promise<number>;
}

/** Whose tokens they are: others with the same secret have counters of their own. */
export interface Owner {
  /** The identifier of the entry. */
  readonly entry: string;
  readonly keys: KeyRing;
}

const nameOf = (token: Token, { entry, keys }: Owner): string => `${entry}:${tokenKey(token, keys)}`;

/** The counters that the HOTP tokens of an entry are to be raised to. */
export type Targets = ReadonlyMap<string, number>;

/** @throws ServiceError `internal` where a secret cannot be read */
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

/** What `swapData` is to write, and what that closes. */
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
  // What a verification server has used up, it knows still.
  readTokens(stored).flatMap((token) => (token.type === 'TOTP' || token.type === 'YUBICLOUD' ? [] : [token]));
