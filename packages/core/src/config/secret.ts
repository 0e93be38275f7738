/** A secret on one line: what a tab or a second line in it came from is a mistake, as no form or protocol takes them. */
import { madeAtNeed } from '../table/schema/zod.ts';

export const secret = madeAtNeed((z) =>
  z
    .string()
    .min(1)
    .regex(/^\P{Cc}*$/u, 'holds a control character or a line break, which no password has'),
);
