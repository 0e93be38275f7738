import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchAll } from '../../core/src/foundation/text/filter.ts';
import { checkpointPurpose, exportLine } from '../../core/src/ports/event-log/chain.ts';
import { ChainVerifier } from '../../core/src/ports/event-log/verification.ts';
import { KeyRing } from '../../core/src/ports/keys.ts';
import { type Bundle, bundle } from '../../core/src/testing/bed/children/test-child.ts';
import { systemClock, systemRandom } from '../../node/src/machine/index.ts';
import { type Environment, openDirectory, openEnvironment, openEventLog, openStore } from './index.ts';
import { base } from './testing/test-directory.ts';

/** The timeout of a child's start in milliseconds. */
const patience = 120_000;

/** Verifies that the event log is a whole chain with this many events. */
async function assertWhole(environment: Environment, events: number): Promise<void> {
  const keys = new KeyRing([Buffer.alloc(32, 1)], systemRandom);
  const log = await openEventLog(environment, { signer: keys });
  const verifier = new ChainVerifier(
    keys.verifyingKeys(checkpointPurpose).map((key) => createPublicKey(key)),
  );
  for await (const page of log.exported({ now: 0 }))
    for (const record of page) verifier.add(exportLine(record));
  if (events > 0) expect(verifier.end().events).toBe(events);
}

describe('process that is killed while it writes', () => {
  let child: Bundle;
  beforeAll(async () => {
    child = await bundle(new URL('./testing/crash-child.ts', import.meta.url));
  });
  afterAll(() => child?.dispose());

  /** Kills the child after it has reported `count` writes. @returns the number of those that are lost */
  async function lostAfter(count: number, mode: 'patient' | 'hasty'): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), 'watchword-crash-'));
    const running = child.start(folder, mode);
    let result = 0;
    running.on('message', (n) => {
      result = Number(n) + 1;
      if (result === count) running.kill('SIGKILL');
    });
    try {
      await once(running, 'exit', { signal: AbortSignal.timeout(patience) });
    } finally {
      running.kill('SIGKILL');
    }
    const kept = await keptIn(folder);
    await rm(folder, { recursive: true });
    return Math.max(0, result - kept);
  }

  /** Counts the writes, from the first, that are complete. */
  async function keptIn(folder: string): Promise<number> {
    const environment = await openEnvironment(folder);
    const ports = { clock: systemClock, random: systemRandom };
    const directory = await openDirectory(environment, { base }, ports);
    const store = openStore(environment, systemClock);
    const events = environment.table('event-chain', { keyEncoding: 'ordered-binary' });
    const claimed = (await store.claimed('claim')) ?? -1;
    // Value, claim and event are one step: none exists without the others.
    const steps = [await store.get(`value:${claimed + 1}`), events.doesExist(claimed + 2)];
    expect([claimed, ...steps]).toEqual([claimed, undefined, false]);
    expect(
      claimed === -1 || (events.doesExist(claimed + 1) && (await store.get(`value:${claimed}`))),
    ).toBeTruthy();
    await assertWhole(environment, claimed + 1);
    const users = await directory.service.search({
      base,
      scope: 'one',
      filter: matchAll,
      attributes: ['sn'],
    });
    let kept = 0;
    for (const { attributes } of users) {
      const n = Number(attributes.get('sn')?.[0]);
      const value = await store.get(`value:${n}`);
      if (n === kept && value && n <= claimed && events.doesExist(n + 1)) kept += 1;
    }
    await environment.close();
    return kept;
  }

  it.each([1, 2, 7, 40])('keeps all %i acknowledged writes', async (count) => {
    expect(await lostAfter(count, 'patient')).toBe(0);
  });

  it('loses writes when it acknowledges them before they are durable', async () => {
    let lost = 0; // which of the two is quicker, disk or kill, is a matter of luck
    for (let attempt = 0; attempt < 30 && lost === 0; attempt += 1) lost = await lostAfter(1, 'hasty');
    expect(lost).toBeGreaterThan(0);
  });
});
