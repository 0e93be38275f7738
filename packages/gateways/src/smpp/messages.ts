/** An SMS as SMPP carries it: one submit_sm, or one for each part of a long text (SMPP 3.4 §4.4, 5.2; GSM 03.40 §9.2.3.24.1). */
import { hash } from 'node:crypto';
import { gsmSeptets, piecesOf } from '@watchword/core/foundation';
import type { Sms } from '@watchword/core/ports';

/** Fields of a submit_sm. */
export interface Submission {
  readonly source_addr_ton: number;
  readonly source_addr_npi: number;
  readonly source_addr: string;
  readonly dest_addr_ton: number;
  readonly dest_addr_npi: number;
  readonly destination_addr: string;
  readonly esm_class: number;
  readonly data_coding: number;
  readonly short_message: Buffer;
}

/** SMPP 3.4 §5.2.5, 5.2.6: type of number, numbering plan. */
const [unknownNumber, international, alphanumeric] = [0, 1, 5];
const [unknownPlan, e164] = [0, 1];

/** SMPP 3.4 §5.2.12: the message begins with a user data header. */
const hasHeader = 0x40;

/** GSM 03.38 §4: of a flash SMS the class is in it. */
const codings = { 'GSM 03.38': { usual: 0x00, flash: 0x10 }, 'UCS-2': { usual: 0x08, flash: 0x18 } } as const;

/** @param id of the delivery: each try has the same reference, so that a phone puts together what two tries brought */
export function submissionsOf({ to, text, sender = '', isFlash }: Sms, id: string): readonly Submission[] {
  const { alphabet, pieces } = piecesOf(text);
  const reference = hash('sha256', id, 'buffer')[0] ?? 0;
  const addresses = { ...sourceOf(sender), ...destinationOf(to) };
  return pieces.map((piece, at) => {
    const header = pieces.length === 1 ? [] : [5, 0, 3, reference, pieces.length, at + 1];
    return {
      ...addresses,
      esm_class: header.length > 0 ? hasHeader : 0,
      data_coding: codings[alphabet][isFlash ? 'flash' : 'usual'],
      short_message: Buffer.concat([Buffer.from(header), octetsOf(piece, alphabet)]),
    };
  });
}

const octetsOf = (text: string, alphabet: keyof typeof codings): Buffer =>
  alphabet === 'UCS-2'
    ? Buffer.from(text, 'utf16le').swap16()
    : Buffer.from(Array.from(text).flatMap((one) => gsmSeptets(one) ?? []));

function sourceOf(sender: string) {
  const digits = sender.replace(/^\+/, '');
  if (sender === '') return { source_addr_ton: unknownNumber, source_addr_npi: unknownPlan, source_addr: '' };
  if (!/^[0-9]+$/.test(digits))
    return { source_addr_ton: alphanumeric, source_addr_npi: unknownPlan, source_addr: sender };
  return { source_addr_ton: tonOf(sender), source_addr_npi: e164, source_addr: digits };
}

const destinationOf = (to: string) => ({
  dest_addr_ton: tonOf(to),
  dest_addr_npi: e164,
  destination_addr: to.replace(/^\+/, ''),
});

const tonOf = (number: string): number => (number.startsWith('+') ? international : unknownNumber);
