/**
 * Turns over all nodes of a machine (rule 11): who has one holds a lease in the store, and renews it while it is held.
 * What a process left behind that died is free before those who wait lose patience.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Store, Update } from '../../ports/store.ts';

/** So long after it was renewed last a lease is nobody's: well within {@link usualPatience}. */
const leaseMilliseconds = 5000;
const renewalMilliseconds = 1000;
/** The record lives longer than those of places do, see {@link Places}. */
const leaseSeconds = 300;
const pollMilliseconds = 20;

/** One at a time over all nodes of a machine. */
export class MomentaryLeases {
  readonly #momentary: Store;
  readonly #clock: Clock;
  /** Tells this node's leases from others'. */
  readonly #node: string;
  /** Owners by key. */
  readonly #held = new Map<string, string>();
  #last = 0;
  #stopRenewing = () => {};

  constructor(momentary: Store, clock: Clock, node: string) {
    this.#momentary = momentary;
    this.#clock = clock;
    this.#node = node;
  }

  /** @returns what gives it back; or in how many milliseconds to look again */
  async take(key: string): Promise<(() => Promise<void>) | number> {
    this.#last += 1;
    const owner = `${this.#node}:${this.#last}`;
    const isMine = await this.#momentary.update(key, (before): Update<boolean> => {
      if (before && isHeld(before, this.#clock.now())) return { result: false };
      return { result: true, after: this.#record(owner) };
    });
    if (!isMine) return pollMilliseconds;
    this.#hold(key, owner);
    return () => this.#give(key, owner);
  }

  #hold(key: string, owner: string): void {
    if (this.#held.size === 0)
      this.#stopRenewing = this.#clock.every(renewalMilliseconds, () => this.#renewAll());
    this.#held.set(key, owner);
  }

  #renewAll(): void {
    for (const [key, owner] of this.#held) {
      const renewed = this.#momentary.update(key, (before): Update<void> => {
        const isOurs = before && read(before).owner === owner;
        return { result: undefined, ...(isOurs && { after: this.#record(owner) }) };
      });
      // A store that is down gives nobody else the turn either.
      renewed.catch(() => undefined);
    }
  }

  #record(owner: string): { value: Uint8Array; seconds: number } {
    const value = Buffer.from(JSON.stringify({ owner, since: this.#clock.now() }), 'latin1');
    return { value, seconds: leaseSeconds };
  }

  async #give(key: string, owner: string): Promise<void> {
    if (this.#held.get(key) === owner) this.#held.delete(key);
    if (this.#held.size === 0) this.#stopRenewing();
    await this.#momentary.update(key, (before): Update<void> => {
      const isOurs = before && read(before).owner === owner;
      return { result: undefined, ...(isOurs && { after: null }) };
    });
  }
}

interface LeaseRecord {
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const read = (record: Uint8Array): LeaseRecord => JSON.parse(Buffer.from(record).toString('latin1'));

/** One that a clock ahead has left is nobody's. */
function isHeld(record: Uint8Array, now: number): boolean {
  const { since } = read(record);
  return now - since < leaseMilliseconds && now >= since - leaseMilliseconds;
}
