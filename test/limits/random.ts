/**
 * Six thousand random attempts, with WATCHWORD_LONG a hundred thousand, in parts that run beside each other: each part has runs of
 * its own seeds.
 */
import { expect, it } from 'vitest';
import { type Ground, playOn, shrink } from './shrink.ts';
import { makeSteps } from './steps.ts';

export interface Part extends Ground {
  /** Nobody moves the clock back. */
  readonly isSteady?: boolean;
  readonly firstSeed: number;
  /** With WATCHWORD_LONG; else a fifth of them. */
  readonly runs: number;
  readonly attempts: number;
}

export function randomAttempts({ firstSeed, runs, attempts, isSteady, ...ground }: Part): void {
  const seeds = Array.from(
    { length: process.env.WATCHWORD_LONG ? runs : Math.ceil(runs * 0.05) },
    (_, n) => firstSeed + n,
  );
  it.each(seeds)(
    `of seed %i, ${attempts} attempts are judged as the oracle says`,
    { timeout: 600_000 },
    async (seed) => {
      const steps = makeSteps(seed, attempts, isSteady);
      const { mismatch } = await playOn(steps, ground);
      expect(mismatch && (await report(steps, ground)), `seed ${seed}`).toBeUndefined();
    },
  );
}

async function report(steps: Parameters<typeof shrink>[0], ground: Ground): Promise<string> {
  const { mismatch, told } = await shrink(steps, ground);
  return [...told.slice(-40), mismatch?.what].join('\n');
}
