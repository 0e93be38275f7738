/**
 * Which store a directory is used with. Whoever begins to use one looks whether the directory remembers another store,
 * or more of this one than it knows itself, and then leaves its own mark there, and again while it is used.
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

/** How long a look is good for, in milliseconds; a store that is used raises its epoch as often. */
const freshness = 600_000;

interface Seen {
  readonly state: MarkState;
  /** Where a mark could stand, the one that has ours in front. */
  readonly places: readonly Dn[];
}

interface Look {
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly state: Promise<MarkState>;
  /** The judgement of the state, once a login asked for it: it rejects where the store may not be used. */
  assured?: Promise<void>;
}

export class StoreMark {
  readonly #view: MarkView;
  readonly #looks = new Map<string, Look>();

  constructor(view: MarkView) {
    this.#view = view;
  }

  /**
   * Asserts that the store knows of all codes that may have been used: for every login with a code, before the code is claimed.
   * Mostly it is the promise of an earlier look.
   * @throws ServiceError `unavailable` if codes may have been used that this store does not know of
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
   * How the store stands to the directory of a domain; the mark of this store is left there.
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
   * Makes this store the one that the directory knows, whatever it knew: for an administrator who has said so.
   * @returns how it stood before
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

  /** On the first of these places that takes it. */
  async #leave(base: Dn, places: readonly Dn[]): Promise<MarkState> {
    const { store, clock } = this.#view;
    const [id, epoch] = [await ensureOwnId(this.#view), await raiseOwnEpoch(store)];
    const mark = { store: id, epoch, seen: clock.now() };
    for (const place of places) {
      let other: Mark | undefined;
      const next = (marks: readonly Mark[]) => {
        const inUse = marks.filter((one) => isInUse(one, mark.seen));
        other = otherThan(id, inUse, this.#view);
        // Of two that began at the same moment, whoever comes second takes back what it has left already.
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

/** The same list, if there is none of this store. */
const without = (id: string, marks: readonly Mark[]): readonly Mark[] =>
  marks.some(({ store }) => store === id) ? marks.filter(({ store }) => store !== id) : marks;

/** Changes nothing, and believes of the classes of an entry that a mark could be left there. */
export async function lookForMarks(
  base: Dn,
  view: Pick<MarkView, 'config' | 'names' | 'directory' | 'clock'> & {
    /** Undefined: there is none yet. */
    readonly store: Pick<Store, 'get' | 'claimed'> | undefined;
  },
): Promise<Seen> {
  const { vendor, accountSchema } = await view.directory.capabilities(base);
  if (vendor === 'embedded' || !accountSchema) return { state: { kind: 'alone' }, places: [] };
  // In this order: another node of the same store may go on meanwhile, and does so in the store first.
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

/** The mark of a store that should not use the directory. */
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
