/**
 * Six thousand random attempts, with WATCHWORD_LONG a hundred thousand, in parts that run beside each other: each part has runs of
 * its own seeds.
 */
import { expect, it } from 'vitest';
import { playOn, type RunOptions, shrink } from './shrink.ts';
import { makeSteps } from './steps.ts';

export interface Part extends RunOptions {
  /** Nobody moves the clock back. */
  readonly isSteady?: boolean;
  readonly firstSeed: number;
  /** With WATCHWORD_LONG; else a fifth of them. */
  readonly runs: number;
  readonly attempts: number;
}

export function randomAttempts({ firstSeed, runs, attempts, isSteady, ...options }: Part): void {
  const seeds = Array.from(
    { length: process.env.WATCHWORD_LONG ? runs : Math.ceil(runs * 0.05) },
    (_, n) => firstSeed + n,
  );
  it.each(seeds)(
    `of seed %i, ${attempts} attempts are judged as the oracle says`,
    { timeout: 600_000 },
    async (seed) => {
      const steps = makeSteps(seed, attempts, isSteady);
      const { mismatch } = await playOn(steps, options);
      expect(mismatch && (await report(steps, options)), `seed ${seed}`).toBeUndefined();
    },
  );
}

async function report(steps: Parameters<typeof shrink>[0], options: RunOptions): Promise<string> {
  const { mismatch, lines } = await shrink(steps, options);
  return [...lines.slice(-40), mismatch?.what].join('\n');
}
