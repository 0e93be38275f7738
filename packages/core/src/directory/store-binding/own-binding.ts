/** The binding in the store itself: a permanent id, and the epoch, which only rises. */

import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { Leases } from '../../ports/store/lease.ts';
import type { Store } from '../../ports/store/store.ts';

const idKey = 'store-mark:id';
const epochKey = 'store-mark:epoch';
const forGood = 100 * 366 * 86_400;

export interface OwnBinding {
  /** Undefined before the first use of the store. */
  readonly store: string | undefined;
  readonly epoch: number;
}

/** Reads the binding. */
export async function readOwnBinding(store: Pick<Store, 'get' | 'claimed'>): Promise<OwnBinding> {
  const [id, epoch = 0] = await Promise.all([store.get(idKey), store.claimed(epochKey)]);
  return { store: id && Buffer.from(id).toString('latin1'), epoch };
}

interface OwnBindingPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

/** Returns the id, which the first node makes. */
export async function ensureOwnId({ store, clock, random }: OwnBindingPorts): Promise<string> {
  const found = await readOwnBinding(store);
  if (found.store !== undefined) return found.store;
  return new Leases(store, clock).run('lease:store-mark', async () => {
    const again = await readOwnBinding(store);
    if (again.store !== undefined) return again.store;
    const made = Buffer.from(random.bytes(16)).toString('hex');
    await store.put(idKey, Buffer.from(made, 'latin1'), forGood);
    return made;
  });
}

/** Begins an epoch. @returns its number, above all earlier ones and above `least` */
export async function raiseOwnEpoch(store: Store, least = 0): Promise<number> {
  for (;;) {
    const next = Math.max(least, (await store.claimed(epochKey)) ?? 0) + 1;
    if (await store.claim(epochKey, next, forGood)) return next;
  }
}
