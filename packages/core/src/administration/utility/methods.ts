/** The rows of the method table for utilities and QR codes. */

import { drawQrCode } from '../../foundation/qr/draw.ts';
import type { Random } from '../../ports/random.ts';
import { method } from '../../table/method.ts';
import { bytes, choice, integer, optional, password } from '../../table/schema/index.ts';

export const utilityMethods = {
  Get_Random_Bytes: method({
    summary: 'Makes random bytes, strong enough for keys.',
    on: 'nothing',
    params: { length: integer({ min: 1, max: 10_000 }) },
    example: { length: 20 },
    result: bytes(),
    permission: 'read',
    own: { does: 'looks' },
    run: ({ length }, call: { readonly random: Random }) => call.random.bytes(length),
  }),
  Get_QRCode: method({
    summary:
      'Draws a text as a QR code, up to 2953 bytes of ASCII or 2952 of UTF-8, `(modules + 2·margin)·size` pixels wide; if not told otherwise, ' +
      'a GIF of size 5 and margin 4. `TXT` is for terminals, and has no size.',
    on: 'nothing',
    params: {
      // The URI of a token holds its secret, so the audit says nothing of it.
      uri: password(),
      size: optional(integer({ min: 1, max: 10 })),
      margin: optional(integer({ min: 0, max: 5 })),
      format: optional(choice('GIF', 'PNG', 'JPG', 'SVG', 'TXT')),
    },
    example: { uri: 'otpauth://totp/Alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', format: 'PNG' },
    result: bytes(),
    permission: 'read',
    own: { does: 'looks' },
    run: ({ uri, ...options }) => drawQrCode(uri, options),
  }),
} as const;
