/**
 * The signature placeholder in a PDF (ISO 32000-1 §12.8, ETSI EN 319 142-1): an update is appended to the file, whose bytes stay, so that
 * earlier signatures remain valid. All bytes except the placeholder are signed.
 */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { ServiceError } from '@watchword/core/foundation';
import type { PdfUpdater } from './updater.ts';

/** A PDF, and where the signature goes: between two brackets, in hexadecimal. */
export interface PdfWithPlace {
  readonly bytes: Buffer;
  /** The offset of the first bracket. */
  readonly from: number;
  /** The offset after the last one. */
  readonly to: number;
}

/** Bytes of the longest signature: certificates of another authority may be long. */
const longest = 12_288;

/**
 * @param named who signs @param now milliseconds since 1970
 * @throws ServiceError `invalid_params`: it cannot be read, or is encrypted
 */
export async function withPlace(
  pdf: Uint8Array,
  { named, now, updater }: { readonly named: string; readonly now: number; readonly updater: PdfUpdater },
): Promise<PdfWithPlace> {
  await assertModest(pdf);
  const updated = await updater.update({ pdf, named, now, longest, wide: Number(wide) });
  if (!updated) throw unreadable();
  // After the content: the author of the file may have written a place of their own into it.
  const ranges = updated.indexOf(rangeMark, pdf.length);
  const from = updated.indexOf(placeMark, ranges) + placeMark.indexOf('<');
  const to = updated.indexOf('>', from) + 1;
  if (!pdf.every((byte, at) => updated[at] === byte) || ranges < 0 || to - from !== 2 * longest + 2)
    throw unreadable();
  const numbers = `/ByteRange [ 0 ${from} ${to} ${updated.length - to} ]`;
  updated.write(numbers.padEnd(rangeMark.length), ranges, 'latin1');
  return { bytes: updated, from, to };
}

/** Returns the signed parts. */
export const signedParts = ({ bytes, from, to }: PdfWithPlace): Buffer =>
  Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);

/** @param signature DER of a ContentInfo */
export function fillPlace({ bytes, from }: PdfWithPlace, signature: Uint8Array): Buffer {
  if (signature.length > longest) throw new ServiceError('internal', { detail: 'a signature is too long' });
  bytes.write(Buffer.from(signature).toString('hex'), from + 1, 'latin1');
  return bytes;
}

/** A placeholder as wide as the numbers of any accepted file. */
const wide = '9999999999';
const rangeMark = `/ByteRange [ ${wide} ${wide} ${wide} ${wide} ]`;
const placeMark = `/Contents <${'0'.repeat(16)}`;

const unreadable = (): ServiceError =>
  new ServiceError('invalid_params', {
    detail: 'Parameter file is no PDF that a signature can be put into: it is encrypted, or cannot be read',
  });

const inflated = promisify(inflate);

/** Most inflated bytes of a file: an image of a page fits, and a bomb does not. */
const mostInflated = 67_108_864;

/**
 * The library unpacks what the structure of the file is packed in, however much that is: it is looked at before.
 * @throws ServiceError `invalid_params`
 */
async function assertModest(pdf: Uint8Array): Promise<void> {
  const bytes = Buffer.from(pdf);
  if (bytes.includes('LZWDecode') && bytes.includes('ObjStm')) throw unreadable();
  let left = mostInflated;
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    const begin = bytes.subarray(at + 6, at + 8).toString('latin1') === '\r\n' ? at + 8 : at + 7;
    left -= await sizeOf(bytes.subarray(begin), left, 2);
    if (left <= 0) throw unreadable();
  }
}

/** Returns the inflated size, nested compression included; 0: not compressed. @param depth of nesting */
async function sizeOf(packed: Buffer, most: number, depth: number): Promise<number> {
  // RFC 1950 §2.2: the method and the check of a zlib stream.
  const isPacked = packed.length > 2 && (packed[0] ?? 0) % 16 === 8 && packed.readUInt16BE(0) % 31 === 0;
  if (!isPacked || depth === 0) return 0;
  try {
    const plain = await inflated(packed, { maxOutputLength: most });
    return plain.length + (await sizeOf(plain, most - plain.length, depth - 1));
  } catch (error) {
    // What is cut off or broken is unpacked by nobody.
    return error instanceof RangeError ? most : 0;
  }
}
