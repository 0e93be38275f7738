/** What the codes of a user may come from at this moment: its tokens, its printed list, an emergency password, what is sent. */

import { onceFor, type Settings } from '../../directory/data/layers.ts';
import { isQuestion } from '../../foundation/oath/ocra.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { wrongCodesKey } from '../../limits/authenticator-cap.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Random } from '../../ports/random.ts';
import { read } from '../../table/setting.ts';
import { type Emergency, isEmergency, readEmergency } from '../list/emergency.ts';
import { readList } from '../list/list.ts';
import { codeSettings } from '../settings.ts';
import { newQuestion, suiteOf } from '../token/ocra-token.ts';
import { isUsable, type Token, tokenRules } from '../token/token.ts';
import { encryptedLength } from '../token/yubico.ts';
import type { CodeView } from '../view.ts';
import type {
  Authenticator,
  CodeHolder,
  CodeUser,
  Factor,
  SentAuthenticator,
  SentCode,
  SentKind,
} from './authenticator.ts';
import { emergencyKey, listKey, numbersKey, tokenKey } from './claim-keys.ts';
import { prefixOf } from './prefix.ts';

/** What they are now, under which keys. */
type HasNow = Pick<CodeView, 'clock' | 'keys'>;

/**
 * Where a code of this user comes from now; undefined: from nowhere. `OTPFallback` steps in where there is nothing
 * of the kind of `OTPType`.
 */
export function factorOf(holder: CodeHolder, view: Pick<CodeView, 'clock'>): Factor | undefined {
  if (readEmergency(holder.data, view.clock.now())) return 'EMERGENCY';
  return kindNow(holder, view.clock.now());
}

/** The word for the code of somebody of whom nothing else is known. */
export const presetFactor = (settings: Settings): Factor => kindsIn(settings)[0] ?? 'TOKEN';

type Kind = 'TOKEN' | 'LIST' | SentKind;

const hasKind: Readonly<Record<Kind, (holder: CodeHolder, now: number) => boolean>> = {
  TOKEN: ({ tokens }, now) => hasUsable(tokens, now),
  LIST: ({ data }) => {
    const list = readList(data);
    return list !== undefined && list.used.size < list.size;
  },
  SMS: ({ reach }) => reach.SMS !== undefined,
  MAIL: ({ reach }) => reach.MAIL !== undefined,
};

function hasUsable(tokens: CodeHolder['tokens'], now: number): boolean {
  for (const token of tokens) if (isUsable(token, now)) return true;
  return false;
}

const isKind = (word: string | undefined): word is Kind => word !== undefined && Object.hasOwn(hasKind, word);

/** Those that are wanted of the user, the one that is wanted first in front. */
export const kindsOf = ({ settings }: Pick<CodeHolder, 'settings'>): readonly Kind[] => kindsIn(settings);

const kindsIn = onceFor((settings): readonly Kind[] => {
  const first = read(settings, codeSettings.OTPType);
  const second = read(settings, codeSettings.OTPFallback);
  if (isKind(first)) return isKind(second) ? [first, second] : [first];
  return isKind(second) ? [second] : [];
});

/** The one whose codes log in at this moment; undefined: the user has nothing of any of them. */
function kindNow(holder: CodeHolder, now: number): Kind | undefined {
  for (const kind of kindsOf(holder)) if (hasKind[kind](holder, now)) return kind;
  return undefined;
}

/**
 * All that a code of this user could be of now, but for one that is sent for a session. An emergency one is as good as any while
 * it is in force.
 */
export function authenticatorsOf(holder: CodeHolder, { clock, keys }: HasNow): readonly Authenticator[] {
  const now = clock.now();
  const all: Authenticator[] = [];
  const emergency = readEmergency(holder.data, now);
  if (emergency) all.push(emergencyOf(holder.dn, emergency, keys));
  switch (kindNow(holder, now)) {
    case 'TOKEN':
      addTokens(all, holder, { now, keys });
      break;
    case 'LIST':
      addList(all, holder, keys);
      break;
  }
  return all;
}

function addTokens(
  all: Authenticator[],
  holder: CodeHolder,
  { now, keys }: { readonly now: number; readonly keys: KeyRing },
): void {
  const prefix = prefixOf(holder);
  const rules = tokenRules(holder.settings);
  for (const token of holder.tokens) {
    if (!isUsable(token, now)) continue;
    const key = tokenKey(token, keys);
    const claims = numbersKey({ key, token }, rules);
    const [name, wrongCodes] = [`token ${token.slot}`, wrongCodesKey(key)];
    all.push({ kind: 'TOKEN', key, name, wrongCodes, prefix, token, rules, claims, question: undefined });
  }
}

function addList(all: Authenticator[], holder: CodeHolder, keys: KeyRing): void {
  const list = readList(holder.data);
  if (!list) return;
  const key = listKey(list, keys);
  const [name, wrongCodes] = ['the list', wrongCodesKey(key)];
  all.push({ kind: 'LIST', key, name, wrongCodes, prefix: prefixOf(holder), list });
}

function emergencyOf(dn: Dn, emergency: Emergency, keys: KeyRing): Authenticator {
  const key = emergencyKey(dn, emergency, keys);
  const [name, wrongCodes] = ['the emergency password', wrongCodesKey(key)];
  return { kind: 'EMERGENCY', key, name, wrongCodes, emergency };
}

/** The same secret in two slots is one authenticator. */
export function distinctAuthenticators(holder: CodeHolder, view: HasNow): readonly Authenticator[] {
  const all = authenticatorsOf(holder, view);
  if (all.length < 2) return all;
  const keys = all.map(({ key }) => key);
  return all.filter(({ key }, index) => keys.indexOf(key) === index);
}

/** Whoever answers the session of a code has that code too, as long as the user's codes are sent that way. */
export function withSentCode<User extends CodeUser>(
  user: User,
  sent: SentCode,
  { session, keys }: { readonly session: string; readonly keys: KeyRing },
): User {
  if (!kindsOf(user).includes(sent.kind)) return user;
  const key = `sent:${keys.digest(`${sent.kind}:${user.id}`, 'claim').slice(0, 32)}`;
  const known = { key, name: `the ${sent.kind} code`, wrongCodes: wrongCodesKey(key), sent, session };
  const one: SentAuthenticator = { kind: sent.kind, ...known };
  return { ...user, authenticators: [...user.authenticators, one] };
}

/** The question for the OCRA tokens of a user: that of the first one's suite; undefined: it has none. */
export function questionFor(
  { tokens }: Pick<CodeHolder, 'tokens'>,
  random: Random,
  now: number,
): string | undefined {
  const token = tokens.find((one) => one.type === 'OCRA' && isUsable(one, now));
  const suite = token && suiteOf(token);
  return suite && newQuestion(suite, random);
}

/** Whoever answers the session of a question has the OCRA tokens that it is one for. */
export function withQuestion<User extends CodeUser>(user: User, question: string): User {
  const asked = (one: Authenticator): Authenticator => {
    if (one.kind !== 'TOKEN' || one.token.type !== 'OCRA') return one;
    const suite = suiteOf(one.token);
    return suite && isQuestion(question, suite) ? { ...one, question } : one;
  };
  return { ...user, authenticators: user.authenticators.map(asked) };
}

/** How long a code at the end of a text may be: an emergency one is as long as an administrator liked. */
export function codeLengths(
  text: string,
  holder: CodeHolder,
  view: Pick<CodeView, 'clock'>,
): readonly number[] {
  const emergency = readEmergency(holder.data, view.clock.now());
  const ends = Array.from({ length: Math.min(text.length, longestEmergency) }, (_, index) => index + 1);
  const prefix = prefixOf(holder)?.length ?? 0;
  const digits = [
    tokenRules(holder.settings).digits,
    ...holder.tokens.map(lengthOf),
    readList(holder.data)?.digits,
  ];
  const lengths = [
    ...digits.flatMap((length) => (length === undefined ? [] : [prefix + length])),
    emergency && ends.find((length) => isEmergency(emergency, text.slice(-length))),
  ];
  return [...new Set(lengths.filter((length) => length !== undefined))];
}

const lengthOf = ({ type, shape, id = '' }: Token): number | undefined =>
  type === 'YUBIKEY' || type === 'YUBICLOUD' ? id.length + encryptedLength : shape?.digits;

/** The same for a name that nobody has, who has what the settings preset. */
export const presetLengths = (settings: Settings): readonly number[] => [tokenRules(settings).digits];

const longestEmergency = 64;
