import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from '../../../../core/src/testing/bed/children/test-child.ts';
import { assertAddresses, mapSize } from './address-space.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-addresses-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('assertAddresses', () => {
  it.each([
    [64, /^The database needs 64 GiB of addresses.* may have 64 GiB in all: remove the limit \(LimitAS/],
    [256, /^opened$/],
  ])('judges a limit of %s GiB when the database is opened', async (gib, said) => {
    const child = await bundle(new URL('../../testing/narrow-child.ts', import.meta.url));
    const running = child.startWithAddresses(gib * 2 ** 20, join(folder, 'data'));
    const [message] = await once(running, 'message', { signal: AbortSignal.timeout(60_000) });
    expect(message).toMatch(said);
    await child.dispose();
  });

  it('counts the mappings of the process', async () => {
    const gib = 2 ** 30;
    const facts = async (limit: number | string, taken: number) => {
      await writeFile(join(folder, 'limits'), `Max address space         ${limit}   unlimited   bytes\n`);
      await writeFile(join(folder, 'status'), `VmPeak:\t  1 kB\nVmSize:\t  ${taken / 1024} kB\n`);
    };
    await facts(mapSize + 6 * gib, 2 * gib);
    expect(() => assertAddresses(folder)).not.toThrow();
    await facts(mapSize + 6 * gib, 3 * gib);
    expect(() => assertAddresses(folder)).toThrow('may have 70 GiB in all');
    await facts('unlimited', 900 * gib);
    expect(() => assertAddresses(folder)).not.toThrow();
  });

  it('accepts a system without /proc', () => {
    expect(() => assertAddresses(join(folder, 'none'))).not.toThrow();
  });
});
