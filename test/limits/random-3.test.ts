/** 20,000 of the hundred thousand attempts, see random.ts. */
import { randomAttempts } from './random.ts';

randomAttempts({ firstSeed: 41, runs: 20, attempts: 1000 });
