/**
 * Turns over all nodes of an installation (rule 11): who has one holds a lease, and renews it while it is held. What a
 * process left behind that died is free before those who wait lose patience; at once, if it can be told that it has died.
 */

import { utf8Text } from '../../foundation/text/value.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger, StateBefore, ValueAfter } from '../../ports/store/ledger.ts';

/** So long after it was renewed last a lease is nobody's: well within {@link usualPatience}. */
const leaseMilliseconds = 5000;
const renewalMilliseconds = 1000;
/** The record lives longer than those of places do, see {@link Places}. */
const leaseSeconds = 300;

export interface TurnLease {
  readonly key: string;
  /** Tells it from all others. */
  readonly owner: string;
}

/** One at a time over all nodes. */
export class MomentaryLeases {
  readonly #ledger: Pick<Ledger, 'enter' | 'holder' | 'isGone'>;
  readonly #clock: Clock;
  /** Of the ledger, as JSON. */
  readonly #holder: string;
  /** Tells this node's leases from others'. */
  readonly #node: string;
  /** Those of this node, and whether they have been held for a renewal's time. */
  readonly #held = new Map<TurnLease, boolean>();
  #last = 0;
  #stopRenewing: (() => void) | undefined;

  constructor(ledger: Pick<Ledger, 'enter' | 'holder' | 'isGone'>, clock: Clock, node: string) {
    this.#ledger = ledger;
    this.#holder = JSON.stringify(ledger.holder);
    this.#clock = clock;
    this.#node = node;
  }

  /** One that can be taken. */
  lease(key: string): TurnLease {
    this.#last += 1;
    return { key, owner: `${this.#node}:${this.#last}` };
  }

  isFree(key: string, found: StateBefore): boolean {
    const record = found.value(key);
    if (!record) return true;
    const { since, holder } = read(record);
    const age = this.#clock.now() - since;
    // One that a clock ahead has left is nobody's.
    const isInTime = age < leaseMilliseconds && age >= -leaseMilliseconds;
    return !isInTime || this.#ledger.isGone(holder);
  }

  /** What is kept of it from now on. */
  taken({ key, owner }: TurnLease): ValueAfter {
    const text = `${ownedBy(owner)}"holder":${this.#holder},"since":${this.#clock.now()}}`;
    return [key, { value: Buffer.from(text, 'latin1'), seconds: leaseSeconds }];
  }

  /** What is kept when it is left: if somebody else has it by now, it stays. */
  left({ key, owner }: TurnLease, found: StateBefore): readonly ValueAfter[] {
    return isOurs(found.value(key), owner) ? [[key, null]] : unchanged;
  }

  /** It was taken: it is renewed until {@link drop}. */
  hold(lease: TurnLease): void {
    this.#held.set(lease, false);
    this.#stopRenewing ??= this.#clock.every(renewalMilliseconds, () => this.#renewAll());
  }

  /** It was left, or is to be. */
  drop(lease: TurnLease): void {
    this.#held.delete(lease);
  }

  /** Most are left long before; and whoever begins to renew with each of them makes a timer for each. */
  #renewAll(): void {
    if (this.#held.size === 0) {
      this.#stopRenewing?.();
      this.#stopRenewing = undefined;
    }
    for (const [lease, isOld] of this.#held) {
      this.#held.set(lease, true);
      // A store that is down gives nobody else the turn either.
      if (isOld) this.#renew(lease).catch(() => undefined);
    }
  }

  #renew(lease: TurnLease): Promise<void> {
    return this.#ledger.enter({
      ...{ lasting: [], momentary: [lease.key], held: 1 },
      decide: ({ momentary }) => {
        const isHeld = isOurs(momentary.value(lease.key), lease.owner);
        return { result: undefined, values: isHeld ? [this.taken(lease)] : unchanged };
      },
    });
  }
}

const unchanged: readonly ValueAfter[] = [];

interface LeaseRecord {
  readonly owner: string;
  /** See {@link Ledger.holder}. */
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** How the record of a lease begins; written out as JSON, it is told without being read. An owner has nothing to escape. */
const ownedBy = (owner: string): string => `{"owner":"${owner}",`;

const isOurs = (record: Uint8Array | undefined, owner: string): boolean =>
  record !== undefined && utf8Text(record).startsWith(ownedBy(owner));

const read = (record: Uint8Array): LeaseRecord => JSON.parse(utf8Text(record));
