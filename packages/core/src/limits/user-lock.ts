/** The user lock: one attempt of a user at a time in each scope, over all nodes. The holder renews its lock while it judges. */
import { isOwned, lockRecord } from '../foundation/locks/lock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/store/ledger.ts';
import type { LimitsAttempt, UserLock } from './limits-attempt.ts';

export const lockKey = ({ family, user }: Pick<LimitsAttempt, 'family' | 'user'>, scope: string): string =>
  `turn:${family}:${user}:${scope}`;

const renewalMilliseconds = 1000;

/** Locks of this node. */
export class UserLocks {
  readonly #ledger: Pick<Ledger, 'admit' | 'holder'>;
  readonly #clock: Clock;
  readonly #node: string;
  /** Held locks, and whether each has been held for a renewal's time. */
  readonly #held = new Map<UserLock, boolean>();
  #last = 0;
  #stopRenewing: (() => void) | undefined;

  /** @param node distinguishes this node's locks from others' */
  constructor(ledger: Pick<Ledger, 'admit' | 'holder'>, clock: Clock, node: string) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#node = node;
  }

  /** Names the owner of a lock that may be taken. */
  nextOwner(): string {
    this.#last += 1;
    return `${this.#node}:${this.#last}`;
  }

  /** Renews a lock that was taken, until {@link drop}. */
  hold(lock: UserLock): void {
    this.#held.set(lock, false);
    this.#stopRenewing ??= this.#clock.every(renewalMilliseconds, () => this.#renewAll());
  }

  /** @returns whether the lock was held */
  drop(lock: UserLock): boolean {
    return this.#held.delete(lock);
  }

  /** Runs for all locks: most are dropped long before, and a timer for each would cost more than the locks. */
  #renewAll(): void {
    if (this.#held.size === 0) {
      this.#stopRenewing?.();
      this.#stopRenewing = undefined;
    }
    for (const [lock, isOld] of this.#held) {
      this.#held.set(lock, true);
      // A store that is down gives the lock to no other attempt either.
      if (isOld) this.#renew(lock).catch(() => undefined);
    }
  }

  #renew({ key, owner }: UserLock): Promise<void> {
    const { holder } = this.#ledger;
    return this.#ledger.admit({
      ...{ durable: [], ephemeral: [key] },
      decide: (_, state) => ({
        result: undefined,
        ...(isOwned(state.value(key), owner) && {
          values: [[key, lockRecord(owner, { now: state.now, holder })]],
        }),
      }),
    });
  }
}
