/** The row of the method table for QR codes (manager.md §3). */

import { method } from '../table/method.ts';
import { bytes, choice, integer, optional, password } from '../table/schema/index.ts';
import { drawQrCode } from './draw.ts';

export const qrMethods = {
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
