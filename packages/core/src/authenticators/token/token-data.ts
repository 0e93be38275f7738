/**
 * How tokens are stored with a user (concepts.md §5): under `Otp.Token…`, with the slot's number in the keys of slots
 * 2 to 10. Nothing here reads or writes an entry; `readData` and `swapData` do.
 */
import type { StoredData } from '../../directory/data/data.ts';
import { formatTime, readMoment } from '../../foundation/text/moment.ts';
import { utf8Text } from '../../foundation/text/value.ts';
import { formatShape, parseShape } from './offered-shape.ts';
import type { CodeShape, Token } from './token.ts';
import { formatState, parseHotpState, parseOcraState, parseTotpState } from './token-state.ts';
import { toModhex } from './yubico.ts';

/** Data of one entry in our words, decrypted. */
type TokenData = Pick<StoredData, 'get'>;

const slots = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Parts of a token that are to be written; null removes one, what is left out stays. */
export interface TokenFields {
  readonly type?: Token['type'];
  readonly secret?: Uint8Array;
  readonly state?: Token['state'];
  readonly enabled?: boolean;
  readonly expires?: number | null;
  /** The mobile session that is to bring a new token into this slot; what stands there meanwhile stays as it is. */
  readonly session?: string | null;
  /** Of a Yubikey, bytes. */
  readonly id?: string | Uint8Array | null | undefined;
  readonly serial?: string | null;
  readonly model?: string | null;
  /** As its user calls it. */
  readonly name?: string | null;
  readonly shape?: CodeShape | undefined;
  readonly suite?: string | undefined;
  readonly pin?: string | undefined;
}

/** The tokens of types that we judge, by slot. */
export function readTokens(data: TokenData): readonly Token[] {
  const tokens: Token[] = [];
  for (const slot of slots) {
    const token = readToken(data, slot);
    if (token) tokens.push(token);
  }
  return tokens;
}

/** The token of one slot. */
export function readToken(data: TokenData, slot: number): Token | undefined {
  const type = data.get(keysOf(slot).Type);
  // Most slots are empty.
  return type && tokenIn(data, slot, utf8Text(type));
}

/** @param word the type, as somebody has spelled it */
function tokenIn(data: TokenData, slot: number, word: string): Token | undefined {
  const type = isKnown(word) ? word : word.toUpperCase();
  if (!isKnown(type)) return undefined;
  const keys = keysOf(slot);
  const secret = data.get(type === 'YUBICLOUD' ? keys.ID : keys.Key);
  if (!secret || secret.length === 0) return undefined;
  const shape = textAt(data, keys.Shape);
  // Each field by itself: every login makes one, and V8 is slow with what is put together of others.
  return {
    slot,
    type,
    secret,
    state: stateOf(type, textAt(data, keys.State) ?? ''),
    enabled: textAt(data, keys.Enabled) !== 'No',
    expires: readMoment(textAt(data, keys.Expires)),
    id: idOf(type, data, keys),
    serial: textAt(data, keys.Serial),
    model: textAt(data, keys.Model),
    name: textAt(data, keys.Name),
    shape: shape === undefined ? undefined : parseShape(shape),
    suite: type === 'OCRA' ? textAt(data, keys.Suite) : undefined,
    pin: type === 'OCRA' ? textAt(data, keys.Pin) : undefined,
  } as Token; // A type, and a state of that type.
}

/** What cannot be read is where a token begins. */
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

/** As text; of a Yubikey, which keeps bytes there, in modhex. */
function idOf(type: Token['type'], data: TokenData, keys: SlotKeys): string | undefined {
  if (type !== 'YUBIKEY' && type !== 'YUBICLOUD') return textAt(data, keys.ID);
  return toModhex(data.get(keys.ID) ?? new Uint8Array());
}

const types: readonly string[] = ['HOTP', 'TOTP', 'YUBIKEY', 'YUBICLOUD', 'OCRA'];
const isKnown = (type: string): type is Token['type'] => types.includes(type);

/** What `swapData` is to write to change a token. */
export function tokenChanges(slot: number, fields: TokenFields): Map<string, Uint8Array | null> {
  const { type, secret, state, enabled, expires, session, id, serial, model, name } = fields;
  const { shape, suite, pin } = fields;
  const values: Readonly<Record<Part, Uint8Array | string | null | undefined>> = {
    Type: type,
    Key: type === 'YUBICLOUD' ? undefined : secret,
    State: state && formatState(state),
    Enabled: enabled === undefined ? undefined : enabled ? null : 'No',
    Expires: typeof expires === 'number' ? formatTime(expires) : expires,
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

/** What `swapData` is to write to remove a token, of whatever type. */
export const tokenRemoval = (slot: number): Map<string, Uint8Array | null> =>
  new Map(parts.map((part) => [keysOf(slot)[part], null]));

/** The mobile session that a new token of this slot waits for. */
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

/** Put together once: each login looks at all slots. */
const keysOf = (slot: number): SlotKeys => slotKeys[slot - 1] ?? noKeys;

function textAt(data: TokenData, key: string): string | undefined {
  const bytes = data.get(key);
  return bytes && utf8Text(bytes);
}
