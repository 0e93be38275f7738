/**
 * Codes and whose they are: a token's, one of a printed list, an emergency one. A code that is right is not good
 * for a login yet: first it is used up, and of all who use it, one succeeds (DESIGN.md "Once only").
 */
import type { StoredData } from '../directory/data.ts';
import type { View } from '../method.ts';
import type { Account } from './account.ts';
import { type Emergency, emergencyKey, emergencyUse, isEmergency, readEmergency } from './emergency.ts';
import { keepState, type Use } from './kept-state.ts';
import { judgeListCode, listClaimKey, listUse, readList } from './list.ts';
import type { Factor } from './login-request.ts';
import { claimSeconds, tokenRules } from './token.ts';
import { findTokenCode, usableTokens } from './token-codes.ts';

export interface RightCode {
  readonly factor: Factor;

  /** Makes the code this login's alone, on the entry and then in the store, durably. */
  use(): Promise<Use>;
}

/**
 * Where a code of this user comes from now; undefined: from nowhere. `OTPFallback` steps in where there is nothing
 * of the kind of `OTPType`.
 */
export function factorOf(account: Account, view: View): Factor | undefined {
  if (readEmergency(account.data, view.core.clock.now())) return 'EMERGENCY';
  return kindsOf(account).find((kind) => hasKind[kind](account, view));
}

type Kind = 'TOKEN' | 'LIST';

const hasKind: Readonly<Record<Kind, (account: Account, view: View) => boolean>> = {
  TOKEN: (account, { core }) => usableTokens(account, core).length > 0,
  LIST: ({ data }) => {
    const list = readList(data);
    return list !== undefined && list.used.size < list.size;
  },
};

function kindsOf({ settings }: Account): readonly Kind[] {
  const named = [settings.get('Otp.OTPType') ?? 'TOKEN', settings.get('Otp.OTPFallback')];
  return named.filter((kind): kind is Kind => kind === 'TOKEN' || kind === 'LIST');
}

/** Whose code it is; undefined: nobody's. An emergency one is as good as any while it is in force. */
export async function findCode(code: string, account: Account, view: View): Promise<RightCode | undefined> {
  const emergency = findEmergency(code, account, view);
  if (emergency) return emergency;
  const kind = kindsOf(account).find((candidate) => hasKind[candidate](account, view));
  if (kind === 'TOKEN') return findTokenCode(code, account, view);
  return kind && findListCode(code, account, view);
}

/** How long a code at the end of a text may be: an emergency one is as long as an administrator liked. */
export function codeLengths(text: string, account: Account, { core }: View): readonly number[] {
  const emergency = readEmergency(account.data, core.clock.now());
  const ends = Array.from({ length: Math.min(text.length, longestEmergency) }, (_, index) => index + 1);
  const lengths = [
    tokenRules(account.settings).digits,
    ...account.tokens.map(({ shape }) => shape?.digits),
    readList(account.data)?.digits,
    emergency && ends.find((length) => isEmergency(emergency, text.slice(-length))),
  ];
  return [...new Set(lengths.filter((length) => length !== undefined))];
}

const longestEmergency = 64;

function findListCode(code: string, account: Account, view: View): RightCode | undefined {
  const list = readList(account.data);
  const position = list && judgeListCode(list, code);
  if (!list || position === undefined) return undefined;
  const cross = (stored: StoredData) => {
    const now = readList(stored);
    const isSame = now !== undefined && Buffer.from(now.secret).equals(list.secret);
    return isSame && !now.used.has(position) ? listUse(now, position) : new Map();
  };
  return {
    factor: 'LIST',
    use: async () => {
      const kept = await keepState(account, cross, view);
      if (kept !== 'ours') return kept;
      const key = listClaimKey(account.id, list, position);
      return (await view.core.store.claim(key, 0, claimSeconds)) ? 'ours' : 'taken';
    },
  };
}

function findEmergency(code: string, account: Account, view: View): RightCode | undefined {
  const emergency = readEmergency(account.data, view.core.clock.now());
  if (!emergency || !isEmergency(emergency, code)) return undefined;
  return {
    factor: 'EMERGENCY',
    use: async () => (emergency.uses === 0 ? 'ours' : useEmergency(emergency, account, view)),
  };
}

/** Each use has a number of its own; one that the store knows already, of an entry that was set back, is passed over. */
async function useEmergency(emergency: Emergency, account: Account, view: View): Promise<Use> {
  const { store } = view.core;
  const key = emergencyKey(account.id, emergency);
  for (;;) {
    const claimed = await store.claimed(key);
    let number = 0;
    const count = (stored: StoredData) => {
      const use = emergencyUse(stored, emergency, claimed);
      number = use?.number ?? 0;
      return use?.changes ?? new Map();
    };
    const kept = await keepState(account, count, view);
    if (kept !== 'ours') return kept;
    if (await store.claim(key, number, claimSeconds)) return 'ours';
  }
}
