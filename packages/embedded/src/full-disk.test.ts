/** A full disk, simulated by the shell's limit of the file size. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundle } from '../../core/src/testing/bed/children/test-child.ts';
import { systemClock } from '../../node/src/machine/index.ts';
import { openEnvironment, openStore } from './index.ts';

interface Told {
  readonly stored: readonly string[];
  readonly refused: readonly string[];
  /** The results of a probe with room, and without. */
  readonly before: number | string;
  readonly after: number | string;
}

it.each(['12', '1'])(
  'fails the writes that do not fit, and keeps the others, when %s are concurrent',
  async (sides) => {
    const folder = await mkdtemp(join(tmpdir(), 'watchword-full-'));
    const child = await bundle(new URL('./testing/full-child.ts', import.meta.url));
    const running = child.startWithin(1024, folder, sides);
    const [result] = (await once(running, 'message', { signal: AbortSignal.timeout(120_000) })) as [Told];
    await child.dispose();
    expect(result.refused).toEqual(['unavailable: the database could not be written']);
    expect(result.stored.length).toBeGreaterThan(10);
    expect(result.before).toEqual(expect.any(Number));
    expect(result.after).toBe('unavailable: the database could not be written');

    const environment = await openEnvironment(folder);
    const store = openStore(environment, systemClock);
    for (const key of result.stored) expect(await store.get(key), key).toBeDefined();
    await store.put('value:later', Buffer.alloc(1_000_000), 60);
    await environment.close();
    await rm(folder, { recursive: true });
  },
);
