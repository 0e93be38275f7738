/**
 * The store binding of a directory (docs/concepts/stores-and-nodes.md#store-binding). A node checks the bindings for another store, and for a
 * higher epoch than its own, then writes its binding, and again while it runs.
 */

import type { ServiceConfig } from '../../config/config.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log/log.ts';
import type { Random } from '../../ports/random.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Domains } from '../domain.ts';
import { isInUse, latest, type StoreBinding } from './binding.ts';
import { type BindableDirectory, type BoundEntry, readBoundEntries, swapBindings } from './bound-entries.ts';
import { ensureOwnId, raiseOwnEpoch, readOwnBinding } from './own-binding.ts';
import { type BindingState, complaint, isRefused } from './state.ts';

export interface BindingContext extends BindableDirectory {
  readonly config: Pick<ServiceConfig, 'schema' | 'stores'>;
  readonly domains: Domains;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Milliseconds between checks; a store in use raises its epoch as often. */
const freshness = 600_000;

interface Seen {
  readonly state: BindingState;
  /** The entries that may have a binding, the one with ours first. */
  readonly places: readonly Dn[];
}

interface Look {
  /** The time of the check, in milliseconds since 1970. */
  readonly since: number;
  readonly state: Promise<BindingState>;
  /** The result for logins, made at the first one: it rejects where the store may not be used. */
  assured?: Promise<void>;
}

export class StoreBindings {
  readonly #view: BindingContext;
  readonly #looks = new Map<string, Look>();

  constructor(view: BindingContext) {
    this.#view = view;
  }

  /**
   * Asserts, before a code is claimed, that the store knows all used codes. Mostly returns the promise of an earlier check.
   * @throws ServiceError `unavailable` if codes may have been used that this store does not know
   */
  assure(dn: Dn): Promise<void> {
    const base = this.#view.domains.bases.find((one) => dn.isWithin(one));
    if (!base) return nothingToAssure;
    const look = this.#look(base);
    look.assured ??= look.state.then((state) => this.#judge(state, base));
    return look.assured;
  }

  #judge(state: BindingState, base: Dn): void {
    if (!isRefused(state)) return;
    this.#looks.delete(base.key);
    this.#view.log.error(`${complaint(state, base)}.`);
    throw new ServiceError('unavailable', { detail: 'the directory knows another store' });
  }

  /**
   * Checks the directory of a domain, and writes the binding of this store.
   * @throws ServiceError `unavailable` if the directory does not answer
   */
  state(base: Dn): Promise<BindingState> {
    return this.#look(base).state;
  }

  #look(base: Dn): Look {
    const now = this.#view.clock.now();
    const known = this.#looks.get(base.key);
    if (known && now >= known.since && now - known.since < freshness) return known;
    const state = this.#confirm(base);
    const look: Look = { since: now, state };
    this.#looks.set(base.key, look);
    state.catch(() => this.#looks.delete(base.key));
    return look;
  }

  async #confirm(base: Dn): Promise<BindingState> {
    const { state, places } = await findBindings(base, this.#view);
    return state.kind === 'ours' ? this.#leave(base, places) : state;
  }

  /**
   * Binds the directory to this store, on behalf of an administrator.
   * @returns the state before
   */
  async adopt(base: Dn): Promise<BindingState> {
    const { state, places } = await findBindings(base, this.#view);
    if (state.kind === 'alone') return state;
    const bound = (await readBoundEntries(base, this.#view)).filter(({ bindings }) => bindings.length > 0);
    const epochs = bound.flatMap(({ bindings }) => bindings.map(({ epoch }) => epoch));
    await raiseOwnEpoch(this.#view.store, Math.max(0, ...epochs));
    for (const { dn } of bound) await swapBindings(dn, () => [], this.#view);
    this.#looks.delete(base.key);
    await this.#leave(base, places);
    return state;
  }

  /** Writes the binding to the first entry that accepts it. */
  async #leave(base: Dn, places: readonly Dn[]): Promise<BindingState> {
    const { store, clock } = this.#view;
    const [id, epoch] = [await ensureOwnId(this.#view), await raiseOwnEpoch(store)];
    const binding = { store: id, epoch, seen: clock.now() };
    for (const place of places) {
      let other: StoreBinding | undefined;
      const next = (bindings: readonly StoreBinding[]) => {
        const inUse = bindings.filter((one) => isInUse(one, binding.seen));
        other = otherThan(id, inUse, this.#view);
        // Of two stores that begin at the same moment, the second removes its binding.
        return other ? without(id, bindings) : latest([...inUse, binding]);
      };
      const isLeft = await swapBindings(place, next, this.#view);
      if (other) return { kind: 'another', place, seen: (other as StoreBinding).seen };
      if (isLeft) return { kind: 'ours', place };
    }
    return unbound(await readBoundEntries(base, this.#view), this.#view);
  }
}

const nothingToAssure = Promise.resolve();

/** Removes the binding of a store; the same list if there is none. */
const without = (id: string, bindings: readonly StoreBinding[]): readonly StoreBinding[] =>
  bindings.some(({ store }) => store === id) ? bindings.filter(({ store }) => store !== id) : bindings;

/** Reads the state without a change; entries whose classes allow data count as writable. */
export async function findBindings(
  base: Dn,
  view: Pick<BindingContext, 'config' | 'names' | 'directory' | 'clock'> & {
    /** Undefined before the first use. */
    readonly store: Pick<Store, 'get' | 'claimed'> | undefined;
  },
): Promise<Seen> {
  const { vendor, accountSchema } = await view.directory.capabilities(base);
  if (vendor === 'embedded' || !accountSchema) return { state: { kind: 'alone' }, places: [] };
  // In this order, because another node raises the epoch in the store first.
  const found = await readBoundEntries(base, view);
  const own = view.store ? await readOwnBinding(view.store) : { store: undefined, epoch: 0 };
  const isOurs = ({ store }: StoreBinding) => store === own.store;
  const places = found
    .filter(({ holds }) => holds)
    .sort((a, b) => Number(b.bindings.some(isOurs)) - Number(a.bindings.some(isOurs)));
  const seen = (state: BindingState): Seen => ({ state, places: places.map(({ dn }) => dn) });
  for (const { dn: place, bindings } of found) {
    const inUse = bindings.filter((binding) => isInUse(binding, view.clock.now()));
    const other = otherThan(own.store, inUse, view);
    if (other) return seen({ kind: 'another', place, seen: other.seen });
    if (bindings.some((binding) => isOurs(binding) && binding.epoch > own.epoch))
      return seen({ kind: 'older', place });
  }
  const [best] = places;
  return seen(best ? { kind: 'ours', place: best.dn } : unbound(found, view));
}

/** Finds the binding of another store. */
const otherThan = (
  own: string | undefined,
  bindings: readonly StoreBinding[],
  { config }: Pick<BindingContext, 'config'>,
): StoreBinding | undefined =>
  config.stores === 'separate' ? undefined : bindings.find(({ store }) => store !== own);

const unbound = (
  places: readonly BoundEntry[],
  { config }: Pick<BindingContext, 'config'>,
): BindingState => ({
  kind: 'unbound',
  places: places.map(({ dn }) => dn),
  attribute: config.schema.data_attribute,
});
