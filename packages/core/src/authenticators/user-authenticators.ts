/** Authenticators that a user has at this moment, and the keys of the store by which their codes are verified. */
import type { StoredData } from '../directory/data/data.ts';
import { onceFor, type Settings } from '../directory/data/layers.ts';
import { isQuestion } from '../foundation/oath/ocra.ts';
import { encryptedLength } from '../foundation/oath/yubico.ts';
import { wrongCodesKey } from '../limits/authenticator-cap.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { Random } from '../ports/random.ts';
import { type KeyState, snapshotOf } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import { read } from '../table/setting.ts';
import type {
  Authenticator,
  AuthenticatorOwner,
  CodeContext,
  CodeUser,
  Factor,
  SentAuthenticator,
  SentCode,
  SentKind,
} from './authenticator.ts';
import { emergencyKey, listKey, numbersKey, timeFloorKey, tokenKey } from './claim-keys.ts';
import { lastCodeKeyOf } from './last-code.ts';
import { isEmergency, readEmergency, readList } from './lists.ts';
import { newQuestion, suiteOf } from './ocra-token.ts';
import { codeSettings } from './settings.ts';
import { isUsable, type Token, tokenRules } from './token.ts';

type Kind = 'TOKEN' | 'LIST' | SentKind;

/** Returns the factor of a user now. `OTPFallback` replaces an `OTPType` that the user has not. @returns undefined without any factor */
export function factorOf(
  owner: AuthenticatorOwner,
  { clock }: Pick<CodeContext, 'clock'>,
): Factor | undefined {
  const now = clock.now();
  return readEmergency(owner.data, now) ? 'EMERGENCY' : kindNow(owner, now);
}

/** Returns the factor that the settings preset, for a user that does not exist. */
export const presetFactor = (settings: Settings): Factor => kindsIn(settings)[0] ?? 'TOKEN';

const hasKind: Readonly<Record<Kind, (owner: AuthenticatorOwner, now: number) => boolean>> = {
  TOKEN: ({ tokens }, now) => tokens.some((token) => isUsable(token, now)),
  LIST: ({ data }) => {
    const list = readList(data);
    return list !== undefined && list.used.size < list.size;
  },
  SMS: ({ channels }) => channels.SMS !== undefined,
  MAIL: ({ channels }) => channels.MAIL !== undefined,
};

const isKind = (word: string | undefined): word is Kind => word !== undefined && Object.hasOwn(hasKind, word);

/** Returns the kinds that the settings want of a user, the preferred one first. */
export const kindsOf = ({ settings }: Pick<AuthenticatorOwner, 'settings'>): readonly Kind[] =>
  kindsIn(settings);

const kindsIn = onceFor((settings): readonly Kind[] =>
  [read(settings, codeSettings.OTPType), read(settings, codeSettings.OTPFallback)].filter(isKind),
);

/** Returns the kind whose codes log in now. @returns undefined if the user has no authenticator of any kind */
const kindNow = (owner: AuthenticatorOwner, now: number): Kind | undefined =>
  kindsOf(owner).find((kind) => hasKind[kind](owner, now));

/** Returns the authenticators of a user now, except codes sent for a session. An emergency password in force adds to the others. */
export function authenticatorsOf(
  owner: AuthenticatorOwner,
  { clock, keys }: Pick<CodeContext, 'clock' | 'keys'>,
): readonly Authenticator[] {
  const now = clock.now();
  const all: Authenticator[] = [];
  addEmergency(all, owner, { now, keys });
  const kind = kindNow(owner, now);
  if (kind === 'TOKEN') addTokens(all, owner, { now, keys });
  if (kind === 'LIST') addList(all, owner, keys);
  return all;
}

interface Now {
  readonly now: number;
  readonly keys: KeyRing;
}

function addTokens(all: Authenticator[], owner: AuthenticatorOwner, { now, keys }: Now): void {
  const prefix = prefixOf(owner);
  const rules = tokenRules(owner.settings);
  for (const token of owner.tokens) {
    if (!isUsable(token, now)) continue;
    const key = tokenKey(token, keys);
    const claims = numbersKey({ key, token }, rules);
    const [name, wrongCodes] = [`token ${token.slot}`, wrongCodesKey(key)];
    all.push({ kind: 'TOKEN', key, name, wrongCodes, prefix, token, rules, claims, question: undefined });
  }
}

function addList(all: Authenticator[], owner: AuthenticatorOwner, keys: KeyRing): void {
  const list = readList(owner.data);
  if (!list) return;
  const key = listKey(list, keys);
  const [name, wrongCodes] = ['the list', wrongCodesKey(key)];
  all.push({ kind: 'LIST', key, name, wrongCodes, prefix: prefixOf(owner), list });
}

function addEmergency(all: Authenticator[], { dn, data }: AuthenticatorOwner, { now, keys }: Now): void {
  const emergency = readEmergency(data, now);
  if (!emergency) return;
  const key = emergencyKey(dn, emergency, keys);
  const [name, wrongCodes] = ['the emergency password', wrongCodesKey(key)];
  all.push({ kind: 'EMERGENCY', key, name, wrongCodes, emergency });
}

/** Returns the authenticators of a user. The same secret in two slots is one authenticator. */
export function distinctAuthenticators(
  owner: AuthenticatorOwner,
  context: Pick<CodeContext, 'clock' | 'keys'>,
): readonly Authenticator[] {
  const all = authenticatorsOf(owner, context);
  if (all.length < 2) return all;
  const keys = all.map(({ key }) => key);
  return all.filter(({ key }, index) => keys.indexOf(key) === index);
}

/** The data of a user for the PIN before codes (setting `OTPPrefix`), encrypted. */
export const prefixKey = 'Otp.Prefix';

/**
 * Returns the PIN before codes of tokens and printed lists; an emergency password has none, as it helps a user without the PIN.
 * @returns undefined also until a PIN is registered: the setting comes first, often for a group, and locks no user out
 */
export function prefixOf({
  settings,
  data,
}: Pick<AuthenticatorOwner, 'settings' | 'data'>): string | undefined {
  return read(settings, codeSettings.OTPPrefix) ? textOf(data) || undefined : undefined;
}

const textOf = (data: Pick<StoredData, 'get'>): string => Buffer.from(data.get(prefixKey) ?? []).toString();

/** Adds the code of a session, while codes are sent to the user in that way. */
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

/** Makes a question for the first OCRA token of a user. @returns undefined without such a token */
export function questionFor(
  { tokens }: Pick<AuthenticatorOwner, 'tokens'>,
  random: Random,
  now: number,
): string | undefined {
  const token = tokens.find((one) => one.type === 'OCRA' && isUsable(one, now));
  const suite = token && suiteOf(token);
  return suite && newQuestion(suite, random);
}

/** Puts the question of a session to the OCRA tokens whose suite it fits. */
export function withQuestion<User extends CodeUser>(user: User, question: string): User {
  const asked = (one: Authenticator): Authenticator => {
    if (one.kind !== 'TOKEN' || one.token.type !== 'OCRA') return one;
    const suite = suiteOf(one.token);
    return suite && isQuestion(question, suite) ? { ...one, question } : one;
  };
  return { ...user, authenticators: user.authenticators.map(asked) };
}

const longestEmergency = 64;

/** Returns the lengths that a code at the end of a text may have. An administrator chose the length of an emergency password. */
export function codeLengths(
  text: string,
  owner: AuthenticatorOwner,
  { clock }: Pick<CodeContext, 'clock'>,
): readonly number[] {
  const emergency = readEmergency(owner.data, clock.now());
  const ends = Array.from({ length: Math.min(text.length, longestEmergency) }, (_, index) => index + 1);
  const prefix = prefixOf(owner)?.length ?? 0;
  const { digits } = tokenRules(owner.settings);
  const codes = [digits, ...owner.tokens.map(lengthOf), readList(owner.data)?.digits];
  const lengths = [
    ...codes.map((length) => (length === undefined ? undefined : prefix + length)),
    emergency && ends.find((length) => isEmergency(emergency, text.slice(-length))),
  ];
  return [...new Set(lengths.filter((length) => length !== undefined))];
}

const lengthOf = ({ type, shape, id = '' }: Token): number | undefined =>
  type === 'YUBIKEY' || type === 'YUBICLOUD' ? id.length + encryptedLength : shape?.digits;

/** Returns the lengths of codes that the settings preset, for a user that does not exist. */
export const presetLengths = (settings: Settings): readonly number[] => [tokenRules(settings).digits];

/** Returns the keys of the store by which the codes of a user are verified. A login reads them when it is admitted. */
export function knownCodesKeys(user: CodeUser): string[] {
  const keys: string[] = [];
  let hasToken = false;
  for (const one of user.authenticators) {
    keys.push(one.wrongCodes);
    if (one.kind === 'TOKEN') {
      keys.push(one.claims);
      hasToken = true;
    } else if (one.kind === 'SMS' || one.kind === 'MAIL') keys.push(one.sent.last);
  }
  if (!hasToken) return keys;
  keys.push(timeFloorKey);
  const last = lastCodeKeyOf(user);
  if (last !== undefined) keys.push(last);
  return keys;
}

/** Reads the values and claims of these keys, without an admission. */
export async function readKnown(
  keys: readonly string[],
  store: Pick<Store, 'get' | 'claimed'>,
): Promise<KeyState> {
  const found = new Map<string, { value: Uint8Array | undefined; claimed: number | undefined }>();
  for (const key of keys) found.set(key, { value: await store.get(key), claimed: await store.claimed(key) });
  return snapshotOf(
    { value: (key) => found.get(key)?.value, claimed: (key) => found.get(key)?.claimed },
    keys,
  );
}
