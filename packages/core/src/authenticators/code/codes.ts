/**
 * Codes and whose they are: a token's, one of a printed list, an emergency one. A code that is right is not good
 * for a login yet: first it is used up, and of all who use it, one succeeds (DESIGN.md "Once only").
 */

import type { StoredData } from '../../directory/data/data.ts';
import type { Settings } from '../../directory/data/layers.ts';
import { read } from '../../table/setting.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import { type Emergency, emergencyUse, isEmergency, readEmergency } from '../list/emergency.ts';
import { type CodeList, judgeListCode, listUse, readList } from '../list/list.ts';
import { codeSettings } from '../settings.ts';
import { claimSeconds, tokenRules } from '../token/token.ts';
import { tokenAuthenticator, usableTokens } from '../token/token-codes.ts';
import type { CodeView } from '../view.ts';
import type { Authenticator, CodeHolder, Factor, RightCode } from './authenticator.ts';
import { emergencyKey, listClaimKey, listKey } from './claim-keys.ts';
import { keepState, type Use } from './kept-state.ts';
import { lasting } from './last-code.ts';
import { behindPrefix, prefixOf } from './prefix.ts';

/**
 * Where a code of this user comes from now; undefined: from nowhere. `OTPFallback` steps in where there is nothing
 * of the kind of `OTPType`.
 */
export function factorOf(account: CodeHolder, view: Pick<CodeView, 'clock'>): Factor | undefined {
  if (readEmergency(account.data, view.clock.now())) return 'EMERGENCY';
  return kindsOf(account).find((kind) => hasKind[kind](account, view));
}

/** The word for the code of somebody of whom nothing else is known. */
export const presetFactor = (settings: Settings): Factor => kindsOf({ settings })[0] ?? 'TOKEN';

type Kind = 'TOKEN' | 'LIST';

const hasKind: Readonly<Record<Kind, (account: CodeHolder, view: Pick<CodeView, 'clock'>) => boolean>> = {
  TOKEN: (account, view) => usableTokens(account, view).length > 0,
  LIST: ({ data }) => {
    const list = readList(data);
    return list !== undefined && list.used.size < list.size;
  },
};

function kindsOf({ settings }: Pick<CodeHolder, 'settings'>): readonly Kind[] {
  const named = [read(settings, codeSettings.OTPType), read(settings, codeSettings.OTPFallback)];
  return named.filter((kind): kind is Kind => kind === 'TOKEN' || kind === 'LIST');
}

/** All that a code of this user could be of now. An emergency one is as good as any while it is in force. */
export function authenticatorsOf(account: CodeHolder, view: CodeView): readonly Authenticator[] {
  const emergency = readEmergency(account.data, view.clock.now());
  const kind = kindsOf(account).find((candidate) => hasKind[candidate](account, view));
  const list = kind === 'LIST' ? readList(account.data) : undefined;
  const prefix = prefixOf(account);
  const prefixed = (one: Authenticator) => (prefix === undefined ? one : behindPrefix(prefix, one));
  const tokens = kind === 'TOKEN' ? usableTokens(account, view) : [];
  return [
    ...(emergency ? [emergencyAuthenticator(emergency, account, view)] : []),
    ...tokens.map((token) => prefixed(lasting(tokenAuthenticator(token, account, view), account, view))),
    ...(list ? [prefixed(listAuthenticator(list, account, view))] : []),
  ];
}

/** How long a code at the end of a text may be: an emergency one is as long as an administrator liked. */
export function codeLengths(
  text: string,
  account: CodeHolder,
  view: Pick<CodeView, 'clock'>,
): readonly number[] {
  const emergency = readEmergency(account.data, view.clock.now());
  const ends = Array.from({ length: Math.min(text.length, longestEmergency) }, (_, index) => index + 1);
  const prefix = prefixOf(account)?.length ?? 0;
  const digits = [
    tokenRules(account.settings).digits,
    ...account.tokens.map(({ shape }) => shape?.digits),
    readList(account.data)?.digits,
  ];
  const lengths = [
    ...digits.flatMap((length) => (length === undefined ? [] : [prefix + length])),
    emergency && ends.find((length) => isEmergency(emergency, text.slice(-length))),
  ];
  return [...new Set(lengths.filter((length) => length !== undefined))];
}

/** The same for a name that nobody has, who has what the settings preset. */
export const presetLengths = (settings: Settings): readonly number[] => [tokenRules(settings).digits];

const longestEmergency = 64;

function listAuthenticator(list: CodeList, account: CodeHolder, view: CodeView): Authenticator {
  const all = { ...list, used: new Set<number>() };
  return {
    key: listKey(list, view.keys),
    name: 'the list',
    find: async (code) => {
      const position = judgeListCode(list, code);
      return position === undefined ? undefined : listCode({ list, position }, account, view);
    },
    wasUsed: (code) => judgeListCode(all, code) !== undefined,
  };
}

function listCode(
  { list, position }: { list: CodeList; position: number },
  account: CodeHolder,
  view: CodeView,
): RightCode {
  const cross = (stored: StoredData) => {
    const now = readList(stored);
    const isSame = now !== undefined && isSameSecret(now.secret, list.secret);
    return isSame && !now.used.has(position) ? listUse(now, position) : new Map();
  };
  return {
    factor: 'LIST',
    use: async () => {
      const kept = await keepState(account, cross, view);
      if (kept !== 'ours') return kept;
      const key = listClaimKey(list, position, view.keys);
      return (await view.store.claim(key, 0, claimSeconds)) ? 'ours' : 'taken';
    },
  };
}

const emergencyAuthenticator = (
  emergency: Emergency,
  account: CodeHolder,
  view: CodeView,
): Authenticator => ({
  key: emergencyKey(account.dn, emergency, view.keys),
  name: 'the emergency password',
  find: async (code) => (isEmergency(emergency, code) ? emergencyCode(emergency, account, view) : undefined),
  wasUsed: () => false,
});

const emergencyCode = (emergency: Emergency, account: CodeHolder, view: CodeView): RightCode => ({
  factor: 'EMERGENCY',
  use: async () => (emergency.uses === 0 ? 'ours' : useEmergency(emergency, account, view)),
});

/** Each use has a number of its own; one that the store knows already, of an entry that was set back, is passed over. */
async function useEmergency(emergency: Emergency, account: CodeHolder, view: CodeView): Promise<Use> {
  const { store, keys } = view;
  const key = emergencyKey(account.dn, emergency, keys);
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
