/**
 * Codes and whose they are: a token's, one of a printed list, an emergency one. A code that is right is not good
 * for a login yet: first it is claimed, and of all who claim it, one succeeds (DESIGN.md "Once only").
 */
import { swapData } from '../directory/data.ts';
import type { View } from '../method.ts';
import type { Account } from './account.ts';
import { emergencyKey, emergencyUses, isEmergency, mostUses, readEmergency } from './emergency.ts';
import { judgeListCode, listClaimKey, listUse, readList } from './list.ts';
import type { Factor } from './login-request.ts';
import { claimSeconds, tokenRules } from './token.ts';
import { findTokenCode, usableTokens } from './token-codes.ts';

export interface RightCode {
  readonly factor: Factor;

  /** Makes the code this login's alone, durably; false if it is somebody else's already. */
  claim(): Promise<boolean>;

  /** Brings the entry up to date with what was claimed. Success is answered when that is done. */
  settle(): Promise<void>;
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
  return {
    factor: 'LIST',
    claim: () => view.core.store.claim(listClaimKey(account.id, list, position), 0, claimSeconds),
    settle: () =>
      swapData(
        account,
        (stored) => {
          const now = readList(stored);
          return now && Buffer.from(now.secret).equals(list.secret) ? listUse(now, position) : new Map();
        },
        view,
      ),
  };
}

function findEmergency(code: string, account: Account, view: View): RightCode | undefined {
  const { store, clock } = view.core;
  const emergency = readEmergency(account.data, clock.now());
  if (!emergency || !isEmergency(emergency, code)) return undefined;
  const key = emergencyKey(account.id, emergency);
  let use = 0;
  return {
    factor: 'EMERGENCY',
    // Each use has a number of its own, counted up to mostUses; of those who want the same one, the others try the next.
    claim: async () => {
      if (emergency.uses === 0) return true;
      do {
        use = Math.max(mostUses - emergency.uses, ((await store.claimed(key)) ?? -1) + 1);
        if (use >= mostUses) return false;
      } while (!(await store.claim(key, use, claimSeconds)));
      return true;
    },
    settle: async () => {
      if (emergency.uses === 0) return;
      await swapData(account, (stored) => emergencyUses(stored, emergency, mostUses - use - 1), view);
    },
  };
}
