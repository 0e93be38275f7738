/** Limits of a node on the data folder of a machine, for tests that need no service around them. */
import { rm } from 'node:fs/promises';
import {
  openEnvironment,
  openEphemeral,
  openEventLog,
  openLedger,
  openStore,
} from '../../../../embedded/src/index.ts';
import { systemRandom } from '../../../../node/src/machine/index.ts';
import { Limits, type LimitsOptions } from '../../limits/limits.ts';
import { type AttemptResult, fixedOutcome, type LimitsAttempt } from '../../limits/limits-attempt.ts';
import { sourceOf } from '../../limits/source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/store/ledger.ts';
import { type GatedClock, TestClock } from '../test-clock.ts';
import { type AdmittingLimits, admittedTo, type HeldAttempt } from './attempts.ts';
import { scratchFolder } from './scratch.ts';

/** Settings of the limits, and a ledger around theirs. */
export interface GroundOptions extends Partial<Omit<LimitsOptions, 'store'>> {
  watch?(store: Ledger): Ledger;
}

export async function openLimits(
  folder: string,
  clock: Clock,
  { watch = (same) => same, ...more }: GroundOptions = {},
) {
  const lasting = await openEnvironment(folder);
  const ephemeral = await openEphemeral(folder, 'this-run');
  const store = watch(openLedger({ lasting, ephemeral }, clock, await openEventLog(lasting)));
  const options = { store, ephemeral: openStore(ephemeral, clock), clock, random: systemRandom };
  /** Limits of one node more. */
  const node = () => new Limits({ ...options, judgesRefused: true, ...more });
  return {
    limits: node(),
    ...{ node, store },
    close: async () => {
      await ephemeral.close();
      await lasting.close();
    },
  };
}

/** Limits with a folder and a clock of their own. */
export async function openGround<C extends TestClock = TestClock>(
  options?: GroundOptions,
  clock: C = new TestClock() as C,
) {
  const folder = await scratchFolder('limits');
  const { close, ...opened } = await openLimits(folder, clock, options);
  return {
    ...opened,
    clock,
    close: async () => {
      await close();
      await rm(folder, { recursive: true });
    },
  };
}

export type Ground<C extends TestClock = TestClock> = Awaited<ReturnType<typeof openGround<C>>>;

/** The place of an address that nobody trusts. */
export const placeAt = (address: string, trusted = false) =>
  sourceOf({ key: `address:${address}`, address, trusted }, undefined);

export const alice: LimitsAttempt = {
  family: 'web',
  user: 'user:alice',
  source: placeAt('192.0.2.1'),
  rules: { maxTries: 5, blockTime: 300 },
  withoutPassword: { password: true, codes: [] },
  combined: 'none',
};

/** As many attempts as a source can have at a time, each of another user. */
export const atOnePlace: readonly LimitsAttempt[] = Array.from({ length: 20 }, (_, n) => ({
  ...alice,
  user: `user:${n}`,
}));

/** Resolves once something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** An attempt that asks for admission: `came` is how it may be judged, or why not. */
export class Entering {
  came: string | undefined;
  readonly admitted: Promise<HeldAttempt>;
  readonly #clock: GatedClock;

  constructor(limits: AdmittingLimits, clock: GatedClock, more: Partial<LimitsAttempt> = {}) {
    this.#clock = clock;
    this.admitted = admittedTo(limits, { ...alice, ...more }).then((held) => {
      this.came = held.admission.kind;
      return held;
    });
    this.admitted.catch((error: Error) => {
      this.came ??= error.message;
    });
  }

  /** Wakes the attempt from each pause. */
  async come(): Promise<HeldAttempt> {
    await until(() => {
      this.#clock.wakeAll();
      return this.came !== undefined;
    });
    return this.admitted;
  }

  async as(judged: AttemptResult) {
    return (await this.come()).commit(fixedOutcome(judged));
  }

  async leave(): Promise<void> {
    await (await this.come()).leave();
  }
}

/**
 * Counts how many wrong attempts of different users are still admitted, 30 at most.
 * @param isRefused tries one as a user
 */
export async function failuresLeft(isRefused: (user: string) => Promise<boolean>): Promise<number> {
  for (let n = 0; n < 30; n += 1) if (await isRefused(`user:${n}`)) return n;
  return 30;
}
