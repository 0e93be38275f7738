/**
 * A process that is killed in the middle of logins holds nobody up.
 *
 * Seen to fail with the guard taken out: in packages/embedded/src/records/holder.ts, let `hasEnded` always be false; in
 * foundation/locks/lock.ts, let `isUnlocked` go by the time only; in foundation/locks/token-bucket.ts, leave out `withoutEnded`.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bundle } from '../testing/bed/children/test-child.ts';
import { atOnePlace, openLimits } from '../testing/bed/limits-ground.ts';
import { scratchFolder } from '../testing/bed/scratch.ts';
import { TestClock } from '../testing/test-clock.ts';

/** The time of this machine, as it was: nobody can wait for anything. */
class StandingClock extends TestClock {
  constructor() {
    super(Date.now());
  }

  override sleep(): Promise<never> {
    return Promise.reject(new Error('it had to wait'));
  }
}

it('the turns of its users are free at once, and its places have back what it had under way', async () => {
  const folder = await scratchFolder('killed');
  const child = await bundle('entered-child.ts');
  const process = child.start(folder);
  const [entered] = await once(process, 'message');
  expect(entered).toEqual(atOnePlace.map(() => 'admitted'));

  const clock = new StandingClock();
  const { limits, close } = await openLimits(folder, clock);
  const [first] = atOnePlace;
  if (!first) throw new Error('there is nobody');
  await expect(limits.admit(first), 'while it runs').rejects.toThrow('it had to wait');

  process.kill('SIGKILL');
  await once(process, 'exit');
  for (const one of atOnePlace) {
    const admitted = await limits.admit(one);
    expect(admitted).toMatchObject({ kind: 'admitted', admission: { kind: 'separate' } });
  }
  await close();
  await child.dispose();
  await rm(folder, { recursive: true });
});
