/** The rows of the method table for utilities (manager.md §3). */

import type { Random } from '../ports/random.ts';
import { method } from '../table/method.ts';
import { bytes, integer } from '../table/schema/index.ts';

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
} as const;
