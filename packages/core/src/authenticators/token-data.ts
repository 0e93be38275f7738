/** The data of tokens (docs/concepts/dialects-and-names.md#stored-data): keys `Otp.Token…`, with the slot's number for slots 2 to 10, and values as text. */
import type { StoredData } from '../directory/data/data.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { type Algorithm, algorithms } from '../foundation/oath/hotp.ts';
import { toModhex } from '../foundation/oath/yubico.ts';
import { formatTimestamp, parseTimestamp } from '../foundation/text/timestamp.ts';
import { utf8Text } from '../foundation/text/value.ts';
import type { CodeShape, HotpState, OcraState, Token, TotpState } from './token.ts';

/** Data of one entry, decrypted. */
type TokenData = Pick<StoredData, 'get'>;

const slots = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Parts of a token to write; null removes a part, and a part that is left out stays. */
export interface TokenFields {
  readonly type?: Token['type'];
  readonly secret?: Uint8Array;
  readonly state?: Token['state'];
  readonly enabled?: boolean;
  readonly expires?: number | null;
  /** The mobile session that will bring a new token into this slot; until then the former token stays. */
  readonly session?: string | null;
  /** Bytes, of a Yubikey. */
  readonly id?: string | Uint8Array | null | undefined;
  readonly serial?: string | null;
  readonly model?: string | null;
  /** The name that the user gave it. */
  readonly name?: string | null;
  readonly shape?: CodeShape | undefined;
  readonly suite?: string | undefined;
  readonly pin?: string | undefined;
}

/** Reads the tokens of known types, by slot. */
export function readTokens(data: TokenData): readonly Token[] {
  const tokens: Token[] = [];
  for (const slot of slots) {
    const token = readToken(data, slot);
    if (token) tokens.push(token);
  }
  return tokens;
}

/** Reads the token of one slot. */
export function readToken(data: TokenData, slot: number): Token | undefined {
  const type = data.get(keysOf(slot).Type);
  // Most slots are empty.
  return type && tokenIn(data, slot, utf8Text(type));
}

/** @param word the type, in any case */
function tokenIn(data: TokenData, slot: number, word: string): Token | undefined {
  const type = isKnown(word) ? word : word.toUpperCase();
  if (!isKnown(type)) return undefined;
  const keys = keysOf(slot);
  const secret = data.get(type === 'YUBICLOUD' ? keys.ID : keys.Key);
  if (!secret || secret.length === 0) return undefined;
  const shape = textAt(data, keys.Shape);
  // One literal: every login makes a token, and V8 is slow with spread objects.
  return {
    slot,
    type,
    secret,
    state: stateOf(type, textAt(data, keys.State) ?? ''),
    enabled: textAt(data, keys.Enabled) !== 'No',
    expires: parseTimestamp(textAt(data, keys.Expires)),
    id: idOf(type, data, keys),
    serial: textAt(data, keys.Serial),
    model: textAt(data, keys.Model),
    name: textAt(data, keys.Name),
    shape: shape === undefined ? undefined : parseShape(shape),
    suite: type === 'OCRA' ? textAt(data, keys.Suite) : undefined,
    pin: type === 'OCRA' ? textAt(data, keys.Pin) : undefined,
  } as Token; // A type, and a state of that type.
}

/** Reads a state. Text that cannot be read means a new token. */
function stateOf(type: Token['type'], text: string): Token['state'] {
  switch (type) {
    case 'TOTP':
      return parseTotpState(text) ?? { step: 0, drift: 0 };
    case 'OCRA':
      return parseOcraState(text) ?? { counter: 0, drift: 0 };
    case 'HOTP':
    case 'YUBIKEY':
      return parseHotpState(text) ?? { counter: 0 };
    case 'YUBICLOUD':
      return { counter: 0 };
  }
}

/** Reads the id. Yubikeys have bytes there, which become modhex. */
function idOf(type: Token['type'], data: TokenData, keys: SlotKeys): string | undefined {
  if (type !== 'YUBIKEY' && type !== 'YUBICLOUD') return textAt(data, keys.ID);
  return toModhex(data.get(keys.ID) ?? new Uint8Array());
}

const types: readonly string[] = ['HOTP', 'TOTP', 'YUBIKEY', 'YUBICLOUD', 'OCRA'];
const isKnown = (type: string): type is Token['type'] => types.includes(type);

/** Returns what `swapData` writes to change a token. */
export function tokenChanges(slot: number, fields: TokenFields): Map<string, Uint8Array | null> {
  const { type, secret, state, enabled, expires, session, id, serial, model, name } = fields;
  const { shape, suite, pin } = fields;
  const values: Readonly<Record<Part, Uint8Array | string | null | undefined>> = {
    Type: type,
    Key: type === 'YUBICLOUD' ? undefined : secret,
    State: state && formatState(state),
    Enabled: enabled === undefined ? undefined : enabled ? null : 'No',
    Expires: typeof expires === 'number' ? formatTimestamp(expires) : expires,
    ...{ Session: session, ID: id, Serial: serial, Model: model, Name: name },
    Shape: shape && formatShape(shape),
    ...{ Suite: suite, Pin: pin },
  };
  const keys = keysOf(slot);
  const written = parts.flatMap((part): [string, Uint8Array | null][] => {
    const value = values[part];
    if (value === undefined) return [];
    return [[keys[part], typeof value === 'string' ? Buffer.from(value) : value]];
  });
  return new Map(written);
}

/** Returns what `swapData` writes to remove a token of any type. */
export const tokenRemoval = (slot: number): Map<string, Uint8Array | null> =>
  new Map(parts.map((part) => [keysOf(slot)[part], null]));

/** Returns the mobile session that will bring a new token into this slot. */
export const sessionAwaited = (data: TokenData, slot: number): string | undefined =>
  textAt(data, keysOf(slot).Session);

const parts = [
  'Type',
  'Key',
  'State',
  'Enabled',
  'Expires',
  'Session',
  'ID',
  'Serial',
  'Model',
  'Name',
  'Shape',
  'Suite',
  'Pin',
] as const;
type Part = (typeof parts)[number];

type SlotKeys = Readonly<Record<Part, string>>;

const keysBy = (name: (part: Part) => string): SlotKeys =>
  Object.fromEntries(parts.map((part) => [part, name(part)])) as SlotKeys;

const slotKeys = slots.map((slot) => keysBy((part) => `Otp.Token${slot === 1 ? '' : slot}${part}`));
const noKeys = keysBy(() => '');

/** Returns keys that were made once, as every login reads all slots. */
const keysOf = (slot: number): SlotKeys => slotKeys[slot - 1] ?? noKeys;

function textAt(data: TokenData, key: string): string | undefined {
  const bytes = data.get(key);
  return bytes && utf8Text(bytes);
}

/** Formats a state, for the entry and the parameter `state`: `17`, or `58000000:-2`. */
export function formatState(state: Token['state']): string {
  if ('step' in state) return `${state.step}:${state.drift}`;
  const isOff = 'drift' in state && state.drift !== 0;
  return isOff ? `${state.counter}:${state.drift}` : String(state.counter);
}

export function parseHotpState(text: string): HotpState | undefined {
  const counter = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(counter) ? { counter } : undefined;
}

/** Parses the state of an OCRA token: that of TOTP, with the counter instead of the step. */
function parseOcraState(text: string): OcraState | undefined {
  const read = parseTotpState(text);
  return read && { counter: read.step, drift: read.drift };
}

/** Parses the state of a TOTP token. A step alone has no drift. */
function parseTotpState(text: string): TotpState | undefined {
  const [, step, drift = '0'] = /^([0-9]{1,15})(?::(-?[0-9]{1,9}))?$/.exec(text) ?? [];
  return step === undefined ? undefined : { step: Number(step), drift: Number(drift) };
}

/** Reads the parameter `state` of a HOTP token. Optional; default: 0. @throws ServiceError `invalid_params` */
export const hotpStateIn = (state: string | undefined): HotpState =>
  parseHotpState(state?.trim() || '0') ?? badState('a counter');

/** Reads the parameter `state` of a TOTP token. Optional; default: 0. @throws ServiceError `invalid_params` */
export const totpStateIn = (state: string | undefined): TotpState =>
  parseTotpState(state?.trim() || '0') ?? badState('a time step, or a time step and a drift');

function badState(what: string): never {
  throw new ServiceError('invalid_params', { detail: `Parameter state is not ${what}` });
}

/** Returns the counter or step of a state, which only rises. */
export const progressOf = (state: Token['state']): number =>
  'counter' in state ? state.counter : state.step;

/** Formats a shape as `8/60` or `8/60/SHA1`: digits of a code, seconds of a time step, and the hash if one was given. */
export const formatShape = ({ digits, period, algorithm }: CodeShape): string =>
  `${digits}/${period}${algorithm === undefined ? '' : `/${algorithm}`}`;

const shapeText = new RegExp(`^([6-9]|10)/([1-9][0-9]{0,8})(?:/(${algorithms.join('|')}))?$`);

/** Parses a shape. Earlier versions wrote 7 and 9 digits too. @returns undefined if the text is malformed */
export function parseShape(text: string): CodeShape | undefined {
  const [, digits, period, algorithm] = shapeText.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return {
    digits: Number(digits),
    period: Number(period),
    ...(algorithm !== undefined && { algorithm: algorithm as Algorithm }),
  };
}
