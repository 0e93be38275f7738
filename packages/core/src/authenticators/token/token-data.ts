/**
 * How tokens are stored with a user (concepts.md §5): under `Otp.Token…`, with the slot's number in the keys of slots
 * 2 to 10. Nothing here reads or writes an entry; `readData` and `swapData` do.
 */
import type { StoredData } from '../../directory/data/data.ts';
import { formatTime, readMoment } from '../../text/moment.ts';
import { utf8Text } from '../../text/value.ts';
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
  return slots.flatMap((slot) => readToken(data, slot) ?? []);
}

/** The token of one slot. */
export function readToken(data: TokenData, slot: number): Token | undefined {
  const type = decode(data.get(dataKey(slot, 'Type')))?.toUpperCase();
  if (!isKnown(type)) return undefined;
  const text = (part: Part) => decode(data.get(dataKey(slot, part)));
  const secret = data.get(dataKey(slot, type === 'YUBICLOUD' ? 'ID' : 'Key'));
  if (!secret || secret.length === 0) return undefined;
  const state = text('State') ?? '';
  const shared: Shared = {
    slot,
    secret,
    enabled: text('Enabled') !== 'No',
    expires: readMoment(text('Expires')),
    id: text('ID'),
    serial: text('Serial'),
    model: text('Model'),
    name: text('Name'),
    shape: parseShape(text('Shape') ?? ''),
  };
  switch (type) {
    case 'TOTP':
      return Object.assign(shared, { type, state: parseTotpState(state) ?? { step: 0, drift: 0 } });
    case 'OCRA':
      return Object.assign(shared, {
        ...{ type, suite: text('Suite'), pin: text('Pin') },
        state: parseOcraState(state) ?? { counter: 0, drift: 0 },
      });
    case 'HOTP':
      return Object.assign(shared, { type, state: parseHotpState(state) ?? { counter: 0 } });
    case 'YUBIKEY':
      return Object.assign(shared, {
        ...{ type, state: parseHotpState(state) ?? { counter: 0 } },
        id: toModhex(data.get(dataKey(slot, 'ID')) ?? new Uint8Array()),
      });
    case 'YUBICLOUD':
      return Object.assign(shared, { type, state: { counter: 0 }, id: toModhex(secret) });
  }
}

type Shared = Pick<
  Token,
  'slot' | 'secret' | 'enabled' | 'expires' | 'id' | 'serial' | 'model' | 'name' | 'shape'
>;

const isKnown = (type: string | undefined): type is Token['type'] =>
  type !== undefined && ['HOTP', 'TOTP', 'YUBIKEY', 'YUBICLOUD', 'OCRA'].includes(type);

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
  const written = parts.flatMap((part): [string, Uint8Array | null][] => {
    const value = values[part];
    if (value === undefined) return [];
    return [[dataKey(slot, part), typeof value === 'string' ? Buffer.from(value) : value]];
  });
  return new Map(written);
}

/** What `swapData` is to write to remove a token, of whatever type. */
export const tokenRemoval = (slot: number): Map<string, Uint8Array | null> =>
  new Map(parts.map((part) => [dataKey(slot, part), null]));

/** The mobile session that a new token of this slot waits for. */
export const sessionAwaited = (data: TokenData, slot: number): string | undefined =>
  decode(data.get(dataKey(slot, 'Session')));

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

const dataKeys = slots.map(
  (slot) => new Map(parts.map((part) => [part, `Otp.Token${slot === 1 ? '' : slot}${part}`])),
);

/** Put together once: each login looks at all slots. */
const dataKey = (slot: number, part: Part): string => dataKeys[slot - 1]?.get(part) ?? '';

const decode = (bytes: Uint8Array | undefined): string | undefined => bytes && utf8Text(bytes);
