/** For `limits/killed.test.ts` and its child: the limits of a node on the data folder of a machine. */
import {
  openEnvironment,
  openEventLog,
  openLedger,
  openMomentary,
  openStore,
} from '../../adapters/embedded/index.ts';
import { systemRandom } from '../../adapters/system/index.ts';
import type { Attempter } from '../../limits/attempter.ts';
import { placeOf } from '../../limits/kept/users-and-places.ts';
import { Limits } from '../../limits/limits.ts';
import type { Clock } from '../../ports/clock.ts';

export async function openLimits(folder: string, clock: Clock) {
  const lasting = await openEnvironment(folder);
  const momentary = await openMomentary(folder, 'this-run');
  const store = openLedger({ lasting, momentary }, clock, await openEventLog(lasting));
  const options = { store, momentary: openStore(momentary, clock), clock, random: systemRandom };
  return {
    limits: new Limits({ ...options, judgesRefused: true }),
    close: async () => {
      await momentary.close();
      await lasting.close();
    },
  };
}

/** All that a place can have under way: a user each. */
export const atOnePlace: readonly Attempter[] = Array.from({ length: 20 }, (_, n) => ({
  family: 'web',
  user: `user:${n}`,
  place: placeOf({ key: 'address:192.0.2.1', address: '192.0.2.1', trusted: false }, undefined),
  rules: { maxTries: 5, blockTime: 300 },
  alone: { password: true, codes: [] },
  together: 'nothing',
}));
