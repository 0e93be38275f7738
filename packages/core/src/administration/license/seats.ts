/**
 * Places: a licence allows so many active users, and every activation takes one. They are taken one at a time over
 * all nodes, so that of many who activate at once none gets a place that is not there.
 */

import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { License } from '../../ports/license.ts';
import { Leases } from '../../ports/store/lease.ts';
import type { Store } from '../../ports/store/store.ts';

export interface SeatsOptions {
  readonly license: License;
  readonly store: Store;
  readonly clock: Clock;
  /** Users who are active now, counted in the directory. */
  readonly count: () => Promise<number>;
}

export interface Activation {
  /** How many users it makes active who are not. Asked when nobody else takes a place. */
  newcomers(): Promise<number>;
  write(): Promise<void>;
}

/** Who is activated by another program is seen after this long; who is deactivated, at once. */
const countedSeconds = 60;

const leaseKey = 'lease:activation';
const knownKey = 'license:users';

export class Seats {
  readonly #options: SeatsOptions;
  readonly #leases: Leases;

  constructor(options: SeatsOptions) {
    this.#options = options;
    this.#leases = new Leases(options.store, options.clock);
  }

  /** @throws ServiceError `license_refused` if there is no place; what the activation throws */
  async admit({ newcomers, write }: Activation): Promise<void> {
    const { license, clock } = this.#options;
    const limit = license.maximumUsers;
    if (limit === undefined) {
      if (license.lapse(clock.now()) !== undefined && (await newcomers()) > 0) this.#assertValid();
      return write();
    }
    return this.#leases.run(leaseKey, async (lease) => {
      const coming = await newcomers();
      if (coming > 0) {
        this.#assertValid();
        await this.#take(coming, limit);
        lease.assertFresh();
      }
      await write();
    });
  }

  #assertValid(): void {
    const { license, clock } = this.#options;
    const lapse = license.lapse(clock.now());
    if (lapse !== undefined) throw new ServiceError('license_refused', { detail: `the licence ${lapse}` });
  }

  /**
   * A directory is not counted for each activation: what was counted, and one more for each since, is never less than
   * there are. Only if that is too many, or old, they are counted anew.
   */
  async #take(coming: number, limit: number): Promise<void> {
    const known = await this.#known();
    const { users, counted } = known && known.users + coming <= limit ? known : await this.#count();
    if (users + coming > limit) {
      const detail = `the licence allows ${limit} activated users, and there are ${users}`;
      throw new ServiceError('license_refused', { detail });
    }
    // Before it is written: should this node die in between, there is one too many, never one too few.
    const value = Buffer.from(`${users + coming} ${counted}`, 'latin1');
    await this.#options.store.put(knownKey, value, countedSeconds);
  }

  async #count(): Promise<Known> {
    const counted = this.#options.clock.now();
    return { users: await this.#options.count(), counted };
  }

  async #known(): Promise<Known | undefined> {
    const value = await this.#options.store.get(knownKey);
    if (!value) return undefined;
    const [users = 0, counted = 0] = Buffer.from(value).toString('latin1').split(' ').map(Number);
    const age = this.#options.clock.now() - counted;
    return age >= 0 && age < countedSeconds * 1000 ? { users, counted } : undefined;
  }
}

/** At most so many users are active, by a count of then. */
interface Known {
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly counted: number;
}
