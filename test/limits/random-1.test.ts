/** A fifth of the attempts, see random.ts. */
import { randomAttempts } from './random.ts';

randomAttempts({ firstSeed: 1, runs: 20, attempts: 1000 });
