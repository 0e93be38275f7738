/** A data folder of the quick start that was copied: it is served, and the start says that it is a copy. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { quickStart } from '../src/index.ts';

/** Starts on a folder, and ends. @returns the warnings */
async function warningsOf(data: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  const { servers } = await quickStart({
    data,
    environment: { WATCHWORD_MANAGER__PORT: '0', WATCHWORD_WS__PORT: '0' },
    progress: () => undefined,
    warn: (line) => warnings.push(line),
    logTo: { write: () => true },
  });
  await servers.close();
  return warnings.filter((line) => line.includes('watchword-manager restored'));
}

it('warns of a copy and names the command for it, and warns of no folder where it was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-copied-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
  expect(await warningsOf(data)).toEqual([]);
  expect(await warningsOf(data)).toEqual([]);
  await cp(data, copy, { recursive: true });
  const command = `type: watchword-manager restored --config ${join(copy, 'watchword.yaml')}`;
  expect(await warningsOf(copy)).toEqual([expect.stringContaining(command)]);
  expect(await warningsOf(data)).toEqual([]);
});
