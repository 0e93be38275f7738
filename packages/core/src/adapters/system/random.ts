import { randomBytes } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

/** The random numbers of the operating system. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
