/**
 * Keys of the store under which codes are claimed, and the TOTP time floor. A key follows the secret, whichever user or slot has it: a
 * user who is deleted and made again has the same codes, and used ones stay used. Keys are digests under the key ring: a reader of
 * the store or a backup can neither try out an emergency password nor see who shares a token.
 */
import { timeStep, windowSteps } from '../foundation/oath/window.ts';
import type { Dn } from '../foundation/text/dn.ts';
import { utf8Text } from '../foundation/text/value.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { KeyState } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import type { CodeList, Emergency } from './lists.ts';
import type { CodeShape, Token, TokenRules } from './token.ts';

/** Identifies the secret of a token. */
export const tokenKey = ({ type, secret }: Pick<Token, 'type' | 'secret'>, keys: KeyRing): string =>
  digest(keys, `${type}:${toBase64(secret)}`);

/** Encodes a secret without a copy of it. */
const toBase64 = (bytes: Uint8Array): string =>
  (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).toString(
    'base64',
  );

/**
 * Names the claims of a token's numbers. Type and time step are part of the key, as numbers of different ones cannot be compared.
 * @param rules for a token without a shape
 */
export const claimKey = (
  token: Pick<Token, 'type' | 'secret' | 'shape'>,
  rules: Pick<CodeShape, 'period'>,
  keys: KeyRing,
): string => numbersKey({ key: tokenKey(token, keys), token }, rules);

/** Names the claims like {@link claimKey}, of a token whose key is known. */
export function numbersKey(
  { key, token }: { readonly key: string; readonly token: Pick<Token, 'type' | 'shape'> },
  rules: Pick<CodeShape, 'period'>,
): string {
  const { period } = token.shape ?? rules;
  return `${claimFamily}:${key}${token.type === 'TOTP' ? `:${period}` : ''}`;
}

/** The family of the store in which the numbers of tokens are claimed. */
export const claimFamily = 'token';

/** Reads the token and the time step of a {@link claimKey}. @returns undefined unless the key is of a TOTP token */
export function totpClaimOf(key: string): { readonly token: string; readonly period: number } | undefined {
  const [, token, period] = /^token:([0-9a-f]{32}):([0-9]{1,9})$/.exec(key) ?? [];
  return token === undefined ? undefined : { token, period: Number(period) };
}

/** Names the claim, of 0, of an output that a verification server has verified. */
export const cloudClaimKey = (key: string, otp: string, keys: KeyRing): string =>
  `${claimFamily}:${key}:${digest(keys, otp)}`;

/** Identifies the secret of a printed list. */
export const listKey = ({ secret }: Pick<CodeList, 'secret'>, keys: KeyRing): string =>
  `list:${digest(keys, toBase64(secret))}`;

/** Names the claim, of 0, of the code at a position. */
export const listClaimKey = (list: Pick<CodeList, 'secret'>, position: number, keys: KeyRing): string =>
  `${listKey(list, keys)}:${position}`;

/**
 * Identifies an emergency password, and names the claims of its highest use. The password is no random secret: many users may be given
 * the same words, each with its own uses. So the user is part of the key.
 */
export function emergencyKey(user: Dn, { digest: md5, start, end }: Emergency, keys: KeyRing): string {
  return `emergency:${digest(keys, `${Buffer.from(md5).toString('hex')}:${start}:${end}:${user.key}`)}`;
}

/** Names the claim, of 0, of one counted use of an emergency password. */
export const emergencyUseKey = (key: string, number: number): string => `${key}:${number}`;

/** Digests a secret to 128 bits, which suffice: an attacker gains nothing by a collision. */
const digest = (keys: KeyRing, text: string): string => keys.digest(text, 'claim').slice(0, 32);

/** Seconds that a claim is kept: in effect for ever, as a drift that is set back by hours must not make old codes good. */
export const claimSeconds = 10 * 366 * 86_400;

/**
 * The TOTP time floor. When an older data folder is restored, claims made since are lost. So every TOTP code is refused whose time
 * had come by the restore, or was within the window then.
 */
export interface TimeFloor {
  /** Milliseconds since 1970. */
  readonly moment: number;
  /** Seconds of the widest window of any client. */
  readonly window: number;
}

export const timeFloorKey = 'time-floor:totp';

/** Raises the floor to the later moment and the wider window of two restores. */
export async function raiseTimeFloor({ moment, window }: TimeFloor, store: Store): Promise<void> {
  const before = timeFloorOf(await store.get(timeFloorKey));
  const after: TimeFloor = {
    moment: Math.max(moment, before?.moment ?? 0),
    window: Math.max(window, before?.window ?? 0),
  };
  await store.put(timeFloorKey, Buffer.from(JSON.stringify(after)), claimSeconds);
}

/** Lowers a floor that was raised while a clock was ahead, to the present. @returns whether it was ahead */
export async function lowerTimeFloor(
  { moment, window }: TimeFloor,
  { store, writes }: { readonly store: Pick<Store, 'update'>; readonly writes: boolean },
): Promise<boolean> {
  return store.update(timeFloorKey, (record) => {
    const before = timeFloorOf(record);
    if (!before || before.moment <= moment) return { result: false };
    const after: TimeFloor = { moment, window: Math.max(window, before.window) };
    const value = Buffer.from(JSON.stringify(after));
    return { result: true, ...(writes && { after: { value, seconds: claimSeconds } }) };
  });
}

const timeFloorOf = (record: Uint8Array | undefined): TimeFloor | undefined =>
  record && JSON.parse(utf8Text(record));

/**
 * Returns the highest counter or time step of a token that is not good any more, as far as the store knows.
 * @param source.claims the key of its claims
 * @param source.known the state of that key and of {@link timeFloorKey}
 */
export function acceptedOf(
  token: Pick<Token, 'shape' | 'state'>,
  rules: TokenRules,
  { known, claims }: { readonly known: KeyState; readonly claims: string },
): number | undefined {
  const claimed = known.claimed(claims);
  if (!('step' in token.state)) return claimed;
  const floor = timeFloorOf(known.value(timeFloorKey));
  const closed = floor && closedStep(floor, token.state.drift, { ...rules, ...token.shape });
  return closed === undefined ? claimed : Math.max(closed, claimed ?? 0);
}

/**
 * Returns the last time step that the floor closes. A drift ahead in the old folder may have grown by a window since; a drift
 * behind may have been set right.
 */
export function closedStep(
  { moment, window }: TimeFloor,
  drift: number,
  { period, timeWindow = 0 }: Pick<TokenRules, 'period'> & Partial<Pick<TokenRules, 'timeWindow'>>,
): number {
  const steps = windowSteps({ period }, { window: Math.max(window, timeWindow) });
  return timeStep(moment, period) + Math.max(drift, 0) + 2 * steps;
}

/** Returns when codes of a token whose clock is right are good again, in milliseconds since 1970. */
export const openAgain = ({ moment, window }: TimeFloor): number => moment + 2 * window * 1000;
