/** Bitmaps as PNG (ISO/IEC 15948) with one bit of grey per pixel, as in the bitmap. */
import { crc32, deflateSync } from 'node:zlib';
import type { Bitmap } from './bitmap.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function encodePng(bitmap: Bitmap): Uint8Array {
  return Buffer.concat([
    signature,
    chunk('IHDR', header(bitmap.side)),
    chunk('IDAT', deflateSync(lines(bitmap))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function header(side: number): Uint8Array {
  const bytes = Buffer.alloc(13); // zero for grey, and for each method
  bytes.writeUInt32BE(side, 0);
  bytes.writeUInt32BE(side, 4);
  bytes.writeUInt8(1, 8); // bits per pixel
  return bytes;
}

/** Puts the filter type before each line: 0, no filter. */
function lines({ side, stride, bits }: Bitmap): Uint8Array {
  const bytes = new Uint8Array((stride + 1) * side);
  for (let y = 0; y < side; y++) {
    bytes.set(bits.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  return bytes;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
