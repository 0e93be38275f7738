/** Fewer steps that still part the product from the oracle: for whoever has to find out why. */

import { type Config, openNodes } from './nodes.ts';
import type { OracleOptions } from './oracle/oracle.ts';
import { crowdOf, Game, type Mismatch } from './play.ts';
import type { Step } from './steps.ts';

export interface RunOptions {
  readonly config?: Config;
  readonly oracle?: OracleOptions;
}

export interface Played {
  readonly mismatch: Mismatch | undefined;
  readonly lines: readonly string[];
}

export async function playOn(steps: readonly Step[], { config, oracle }: RunOptions): Promise<Played> {
  const nodes = await openNodes(config);
  try {
    const game = new Game(nodes, await crowdOf(nodes), oracle);
    return { mismatch: await game.play(steps), lines: game.lines };
  } finally {
    await nodes.close();
  }
}

/** Plays again with less and less, at most so many times. */
export async function shrink(steps: readonly Step[], options: RunOptions, tries = 60): Promise<Played> {
  let best = await playOn(steps, options);
  let kept = steps.slice(0, (best.mismatch?.index ?? steps.length) + 1);
  let size = Math.ceil(kept.length / 2);
  for (let at = 0, left = tries; left > 0 && size >= 1; left -= 1) {
    const fewer = without(kept, at, size);
    const played = await playOn(fewer, options);
    if (played.mismatch) {
      best = played;
      kept = fewer.slice(0, played.mismatch.index + 1);
    } else at += size;
    if (at >= kept.length - 1) [at, size] = [0, size === 1 ? 0 : Math.ceil(size / 2)];
  }
  return best;
}

/** Time goes on as it did. */
function without(steps: readonly Step[], at: number, size: number): readonly Step[] {
  const gone = steps.slice(at, at + size).reduce((sum, { wait }) => sum + wait, 0);
  const [next, ...rest] = steps.slice(at + size);
  return [...steps.slice(0, at), ...(next ? [{ ...next, wait: next.wait + gone }] : []), ...rest];
}
