/**
 * Strict decoding of responses, RFC 4511 §4.1.1 and §4.1.9. The reader of ldapts loops forever over a length beyond its message, which anyone may
 * insert before StartTLS.
 */
import { BerCursor } from './ber-cursor.ts';
import { readWireEntry, type WireEntry } from './wire-entry.ts';

export interface WireControl {
  readonly type: string;
  /** BER of the control. */
  readonly value: BerCursor | undefined;
}

/** A final response. */
export interface WireResult {
  /** Tag of the protocol operation. */
  readonly operation: number;
  readonly code: number;
  readonly diagnostic: string;
  readonly controls: readonly WireControl[];
}

/** A message; without entry and result it is a reference (§4.5.3) or an intermediate response (§4.13). */
export interface Message {
  readonly id: number;
  readonly entry: WireEntry | undefined;
  readonly result: WireResult | undefined;
}

const operations = { searchEntry: 0x64, searchReference: 0x73, intermediate: 0x79 } as const;
const [sequence, octetString, controlsTag] = [0x30, 0x04, 0xa0];

/** Decodes a message, without references to its bytes. @throws ServiceError `unavailable` if it is malformed */
export function readMessage(frame: Buffer): Message {
  const cursor = new BerCursor(frame);
  cursor.enter(sequence);
  const id = cursor.integer();
  const operation = cursor.tag;
  const message = cursor.enter(operation);
  if (operation === operations.searchEntry) return { id, entry: readWireEntry(cursor), result: undefined };
  if (operation === operations.searchReference || operation === operations.intermediate)
    return { id, entry: undefined, result: undefined };
  const code = cursor.integer(0x0a);
  cursor.skip(octetString); // the matched DN
  const diagnostic = cursor.text(octetString);
  cursor.leave(message);
  return { id, entry: undefined, result: { operation, code, diagnostic, controls: readControls(cursor) } };
}

const noControls: readonly WireControl[] = [];

function readControls(cursor: BerCursor): readonly WireControl[] {
  if (!cursor.more) return noControls;
  const controls: WireControl[] = [];
  cursor.enter(controlsTag);
  while (cursor.more) controls.push(readControl(cursor));
  return controls;
}

function readControl(cursor: BerCursor): WireControl {
  const list = cursor.enter(sequence);
  const type = cursor.text(octetString);
  if (cursor.more && cursor.tag === 0x01) cursor.skip(0x01); // the criticality
  const value = cursor.more ? new BerCursor(cursor.bytes(octetString)) : undefined;
  cursor.leave(list);
  return { type, value };
}

/** Returns the value of a control; undefined if there is none, or it has no value. */
export function controlValue(controls: readonly WireControl[], type: string): BerCursor | undefined {
  for (const control of controls) if (control.type === type) return control.value;
  return undefined;
}
