/**
 * The store binding of a directory (docs/concepts/stores-and-nodes.md#store-binding). A node checks the marks for another store, and for a
 * higher epoch than its own, then writes its mark, and again while it runs.
 */

import type { ServiceConfig } from '../../config/config.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log/log.ts';
import type { Random } from '../../ports/random.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Domains } from '../domain.ts';
import { isInUse, latest, type Mark } from './mark.ts';
import { type MarkedDirectory, type MarkedEntry, readMarkedEntries, swapMarks } from './marked-entries.ts';
import { ensureOwnId, raiseOwnEpoch, readOwnMark } from './own-mark.ts';
import { complaint, isRefused, type MarkState } from './state.ts';

export interface MarkView extends MarkedDirectory {
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
  readonly state: MarkState;
  /** The entries that may have a mark, the one with ours first. */
  readonly places: readonly Dn[];
}

interface Look {
  /** The time of the check, in milliseconds since 1970. */
  readonly since: number;
  readonly state: Promise<MarkState>;
  /** The result for logins, made at the first one: it rejects where the store may not be used. */
  assured?: Promise<void>;
}

export class StoreMark {
  readonly #view: MarkView;
  readonly #looks = new Map<string, Look>();

  constructor(view: MarkView) {
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

  #judge(state: MarkState, base: Dn): void {
    if (!isRefused(state)) return;
    this.#looks.delete(base.key);
    this.#view.log.error(`${complaint(state, base)}.`);
    throw new ServiceError('unavailable', { detail: 'the directory knows another store' });
  }

  /**
   * Checks the directory of a domain, and writes the mark of this store.
   * @throws ServiceError `unavailable` if the directory does not answer
   */
  state(base: Dn): Promise<MarkState> {
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

  async #confirm(base: Dn): Promise<MarkState> {
    const { state, places } = await lookForMarks(base, this.#view);
    return state.kind === 'ours' ? this.#leave(base, places) : state;
  }

  /**
   * Binds the directory to this store, on behalf of an administrator.
   * @returns the state before
   */
  async adopt(base: Dn): Promise<MarkState> {
    const { state, places } = await lookForMarks(base, this.#view);
    if (state.kind === 'alone') return state;
    const marked = (await readMarkedEntries(base, this.#view)).filter(({ marks }) => marks.length > 0);
    const epochs = marked.flatMap(({ marks }) => marks.map(({ epoch }) => epoch));
    await raiseOwnEpoch(this.#view.store, Math.max(0, ...epochs));
    for (const { dn } of marked) await swapMarks(dn, () => [], this.#view);
    this.#looks.delete(base.key);
    await this.#leave(base, places);
    return state;
  }

  /** Writes the mark to the first entry that accepts it. */
  async #leave(base: Dn, places: readonly Dn[]): Promise<MarkState> {
    const { store, clock } = this.#view;
    const [id, epoch] = [await ensureOwnId(this.#view), await raiseOwnEpoch(store)];
    const mark = { store: id, epoch, seen: clock.now() };
    for (const place of places) {
      let other: Mark | undefined;
      const next = (marks: readonly Mark[]) => {
        const inUse = marks.filter((one) => isInUse(one, mark.seen));
        other = otherThan(id, inUse, this.#view);
        // Of two stores that begin at the same moment, the second removes its mark.
        return other ? without(id, marks) : latest([...inUse, mark]);
      };
      const isLeft = await swapMarks(place, next, this.#view);
      if (other) return { kind: 'another', place, seen: (other as Mark).seen };
      if (isLeft) return { kind: 'ours', place };
    }
    return unmarked(await readMarkedEntries(base, this.#view), this.#view);
  }
}

const nothingToAssure = Promise.resolve();

/** Removes the mark of a store; the same list if there is none. */
const without = (id: string, marks: readonly Mark[]): readonly Mark[] =>
  marks.some(({ store }) => store === id) ? marks.filter(({ store }) => store !== id) : marks;

/** Reads the state without a change; entries whose classes allow data count as writable. */
export async function lookForMarks(
  base: Dn,
  view: Pick<MarkView, 'config' | 'names' | 'directory' | 'clock'> & {
    /** Undefined before the first use. */
    readonly store: Pick<Store, 'get' | 'claimed'> | undefined;
  },
): Promise<Seen> {
  const { vendor, accountSchema } = await view.directory.capabilities(base);
  if (vendor === 'embedded' || !accountSchema) return { state: { kind: 'alone' }, places: [] };
  // In this order, because another node raises the epoch in the store first.
  const found = await readMarkedEntries(base, view);
  const own = view.store ? await readOwnMark(view.store) : { store: undefined, epoch: 0 };
  const isOurs = ({ store }: Mark) => store === own.store;
  const places = found
    .filter(({ holds }) => holds)
    .sort((a, b) => Number(b.marks.some(isOurs)) - Number(a.marks.some(isOurs)));
  const seen = (state: MarkState): Seen => ({ state, places: places.map(({ dn }) => dn) });
  for (const { dn: place, marks } of found) {
    const inUse = marks.filter((mark) => isInUse(mark, view.clock.now()));
    const other = otherThan(own.store, inUse, view);
    if (other) return seen({ kind: 'another', place, seen: other.seen });
    if (marks.some((mark) => isOurs(mark) && mark.epoch > own.epoch)) return seen({ kind: 'older', place });
  }
  const [best] = places;
  return seen(best ? { kind: 'ours', place: best.dn } : unmarked(found, view));
}

/** Finds the mark of another store. */
const otherThan = (
  own: string | undefined,
  marks: readonly Mark[],
  { config }: Pick<MarkView, 'config'>,
): Mark | undefined => (config.stores === 'separate' ? undefined : marks.find(({ store }) => store !== own));

const unmarked = (places: readonly MarkedEntry[], { config }: Pick<MarkView, 'config'>): MarkState => ({
  kind: 'unmarked',
  places: places.map(({ dn }) => dn),
  attribute: config.schema.data_attribute,
});
