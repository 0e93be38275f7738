/**
 * Answers of a server, read from their bytes: RFC 4511 §4.1.1 and §4.1.9. Strictly, because ldapts' own reader
 * loops for ever over a length that reaches beyond its message, and before StartTLS anybody may have sent it.
 */
import { BerCursor } from './ber-cursor.ts';

/** An attribute as it came: the name with its options, the values as bytes. */
export interface WireAttribute {
  readonly type: string;
  readonly values: readonly Buffer[];
}

export interface WireEntry {
  readonly dn: string;
  readonly attributes: readonly WireAttribute[];
}

export interface WireControl {
  readonly type: string;
  /** BER, as the control defines it. */
  readonly value?: BerCursor;
}

/** The end of an answer. */
export interface WireResult {
  /** Tag of the protocol operation. */
  readonly operation: number;
  readonly code: number;
  readonly diagnostic: string;
  readonly controls: readonly WireControl[];
}

/** Neither an entry nor a result: a continuation reference (§4.5.3), an intermediate response (§4.13). */
export interface Message {
  readonly id: number;
  readonly entry?: WireEntry;
  readonly result?: WireResult;
}

const operations = { searchEntry: 0x64, searchReference: 0x73, intermediate: 0x79 } as const;
const [sequence, octetString, set, controlsTag] = [0x30, 0x04, 0x31, 0xa0];

/** Reads one whole message. @throws ServiceError `unavailable` if it is none */
export function readMessage(frame: Buffer): Message {
  const message = new BerCursor(frame).open(sequence);
  const id = message.integer();
  const operation = message.tag;
  const body = message.open(operation);
  if (operation === operations.searchEntry) return { id, entry: readEntry(body) };
  if (operation === operations.searchReference || operation === operations.intermediate) return { id };
  return { id, result: { operation, ...readResult(body), controls: readControls(message) } };
}

function readEntry(body: BerCursor): WireEntry {
  const dn = body.text(octetString);
  const list = body.open(sequence);
  const attributes: WireAttribute[] = [];
  while (list.more) attributes.push(readAttribute(list.open(sequence)));
  return { dn, attributes };
}

function readAttribute(body: BerCursor): WireAttribute {
  const type = body.text(octetString);
  const list = body.open(set);
  const values: Buffer[] = [];
  while (list.more) values.push(list.bytes(octetString));
  return { type, values };
}

function readResult(body: BerCursor): { code: number; diagnostic: string } {
  const code = body.integer(0x0a);
  body.bytes(octetString); // the matched DN
  return { code, diagnostic: body.text(octetString) };
}

function readControls(message: BerCursor): WireControl[] {
  if (!message.more) return [];
  const list = message.open(controlsTag);
  const controls: WireControl[] = [];
  while (list.more) controls.push(readControl(list.open(sequence)));
  return controls;
}

function readControl(body: BerCursor): WireControl {
  const type = body.text(octetString);
  if (body.more && body.tag === 0x01) body.open(0x01); // the criticality
  return body.more ? { type, value: new BerCursor(body.bytes(octetString)) } : { type };
}

/** The value of the control of this type; undefined if there is none, or it has no value. */
export function controlValue(controls: readonly WireControl[], type: string): BerCursor | undefined {
  return controls.find((control) => control.type === type)?.value;
}
