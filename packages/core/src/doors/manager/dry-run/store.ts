/** The store of a dry run: changes are kept as drafts, and read back as if they were made. */
import type { CountStep, Store, StoredValue, Update, ValueChange } from '../../../ports/store/store.ts';
import type { DryRunOtherStep } from './recorder.ts';

type StoreChange = Extract<DryRunOtherStep, { readonly operation: 'store' }>['change'];
export type Note = (key: string, change: StoreChange) => void;

/** The draft of one key; a field that is left out is as in the store. */
interface Draft {
  readonly value?: Uint8Array | undefined;
  readonly claimed?: number | undefined;
  readonly count?: number;
}

const gone: Draft = { value: undefined, claimed: undefined, count: 0 };

/** Times are not kept: a dry run is over before any of them. */
export class DryRunStore implements Store {
  readonly #store: Store;
  readonly #note: Note;
  readonly #drafts = new Map<string, Draft>();

  /** @param note called for each change */
  constructor(store: Store, note: Note) {
    this.#store = store;
    this.#note = note;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const draft = this.#drafts.get(key);
    return draft && 'value' in draft ? draft.value : this.#store.get(key);
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    this.#change(key, { value }, 'set');
  }

  async remove(key: string): Promise<void> {
    if (await this.#isThere(key)) this.#change(key, gone, 'remove');
  }

  async take(key: string): Promise<Uint8Array | undefined> {
    const value = await this.get(key);
    if (value) await this.remove(key);
    return value;
  }

  async claim(key: string, value: number): Promise<boolean> {
    if (value <= ((await this.claimed(key)) ?? -1)) return false;
    this.#change(key, { claimed: value }, 'claim');
    return true;
  }

  async claimed(key: string): Promise<number | undefined> {
    const draft = this.#drafts.get(key);
    return draft && 'claimed' in draft ? draft.claimed : this.#store.claimed(key);
  }

  async count(key: string, { by, limit }: CountStep): Promise<number | undefined> {
    const before = await this.#counted(key);
    const after = Math.max(0, before + by);
    if (by > 0 && limit !== undefined && after > limit) return undefined;
    if (by !== 0) this.#change(key, { count: after }, 'count');
    return after;
  }

  async swap(key: string, { before, after }: ValueChange): Promise<boolean> {
    const value = await this.get(key);
    const isSame = value && before ? Buffer.compare(value, before) === 0 : value === before;
    if (isSame) await this.put(key, after);
    return isSame;
  }

  async *family(name: string, most?: number): AsyncIterable<readonly StoredValue[]> {
    for await (const page of this.#store.family(name, most))
      yield page.filter(({ key }) => !('value' in (this.#drafts.get(key) ?? {})));
    const drafts = [...this.#drafts].flatMap(([key, { value }]) => (value ? [{ key, value }] : []));
    yield drafts.filter(({ key }) => key.startsWith(`${name}:`));
  }

  async update<T>(key: string, change: (before: Uint8Array | undefined) => Update<T>): Promise<T> {
    const { result, after } = change(await this.get(key));
    if (after) await this.put(key, after.value);
    else if (after === null) await this.remove(key);
    return result;
  }

  /** Reports no free space: the probe writes. */
  async probe(): Promise<number | undefined> {
    return undefined;
  }

  /** Closes nothing: the service owns the store. */
  async close(): Promise<void> {}

  async #isThere(key: string): Promise<boolean> {
    if ((this.#drafts.get(key)?.count ?? 0) > 0) return true;
    return (await this.get(key)) !== undefined || (await this.claimed(key)) !== undefined;
  }

  /** Counts without waiting for leases of others. */
  async #counted(key: string): Promise<number> {
    const count = this.#drafts.get(key)?.count;
    if (count !== undefined || key.startsWith('lease:')) return count ?? 0;
    return (await this.#store.count(key, { by: 0, seconds: 1 })) ?? 0;
  }

  #change(key: string, draft: Draft, change: StoreChange): void {
    this.#drafts.set(key, { ...this.#drafts.get(key), ...draft });
    this.#note(key, change);
  }
}
