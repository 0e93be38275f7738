/**
 * Seats: a licence permits a number of active users, and every activation takes a seat. Seats are taken one at a time over all nodes, so
 * that concurrent activations take none that does not exist.
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
  /** Counts the users that it activates, while no other activation runs. */
  newcomers(): Promise<number>;
  write(): Promise<void>;
}

/** Seconds for which a count is used: activations by other programs are seen after them, deactivations at once. */
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
   * Takes seats without counting the directory each time: the last count and each activation since are never less than the real number.
   * Only if that is too many, or old, the directory is counted again.
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

/** An upper bound of active users, and the moment of its count. */
interface Known {
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly counted: number;
}
