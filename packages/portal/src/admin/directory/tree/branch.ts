/** The loaded children of an open container. */
import type { Manager } from '../../../api/manager.ts';
import { keyOf } from '../names.ts';

export type ChildrenPage = Awaited<ReturnType<Manager['List_LDAP_Children']>>;
export type Child = ChildrenPage['entries'][number];

export interface ChildrenRequest {
  readonly container: string;
  readonly filter?: string;
  readonly start?: string;
  readonly max: number;
}

/** @throws CallError */
export type ListChildren = (request: ChildrenRequest) => Promise<ChildrenPage>;

/** Sizes of pages: a small first one, and large ones after it. */
export const firstPage = 200;
const furtherPages = 1000;

export class Branch {
  readonly container: string;
  readonly #filter: string | undefined;
  readonly #list: ListChildren;
  readonly #changed: () => void;
  /** Entries by their keys, in the order of arrival. */
  #entries = new Map<string, Child>();
  #start: string | undefined;
  #isWhole = false;
  #reading: Promise<void> | undefined;
  #error: unknown;
  #wantsAll = false;

  /** @param means `changed` is called whenever there is something else to be seen */
  constructor(
    container: string,
    filter: string | undefined,
    means: { list: ListChildren; changed: () => void },
  ) {
    this.container = container;
    this.#filter = filter;
    this.#list = means.list;
    this.#changed = means.changed;
  }

  get entries(): ReadonlyMap<string, Child> {
    return this.#entries;
  }

  /** There is no further page. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Why the last page did not come; undefined: it did. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether all pages are being loaded. */
  get wantsAll(): boolean {
    return this.#wantsAll;
  }

  find(dn: string): Child | undefined {
    return this.#entries.get(keyOf(dn));
  }

  /** The first page, if it was not asked for yet. Never throws. */
  begin(): Promise<void> {
    return this.#isWhole || this.#entries.size > 0 || this.#error !== undefined
      ? Promise.resolve()
      : this.more();
  }

  /** One page more. Never throws: see {@link error}. */
  more(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async all(): Promise<void> {
    this.#wantsAll = true;
    this.#changed();
    while (this.#wantsAll && !this.#isWhole) {
      await this.more();
      if (this.#error !== undefined) break;
    }
    this.stop();
  }

  stop(): void {
    this.#wantsAll = false;
    this.#changed();
  }

  /** Reads the next page; an empty one may have others after it, as matches of a filter may be far down. */
  async #read(): Promise<void> {
    this.#error = undefined;
    this.#changed();
    try {
      for (let isEmpty = true; isEmpty && !this.#isWhole; ) {
        const { entries, next } = await this.#list({
          ...{ container: this.container, max: this.#start === undefined ? firstPage : furtherPages },
          ...(this.#filter !== undefined && { filter: this.#filter }),
          ...(this.#start !== undefined && { start: this.#start }),
        });
        isEmpty = entries.length === 0;
        this.#start = next ?? undefined;
        this.#isWhole = next === null;
        this.#append(entries);
      }
    } catch (error) {
      this.#error = error;
    }
    this.#changed();
  }

  /** Appends a page; an entry that was inserted before keeps its place. */
  #append(entries: readonly Child[]): void {
    for (const entry of entries) {
      const key = keyOf(entry.dn);
      if (!this.#entries.has(key)) this.#entries.set(key, entry);
    }
  }

  /** A new one in its place where all are there, else before the others: its page may come much later. */
  put(entry: Child): void {
    const key = keyOf(entry.dn);
    if (this.#entries.has(key)) this.#entries.set(key, entry);
    else {
      const all = [...this.#entries];
      const next = this.#isWhole ? all.findIndex(([, { name }]) => order.compare(name, entry.name) > 0) : 0;
      const place = next < 0 ? all.length : next;
      this.#entries = new Map([...all.slice(0, place), [key, entry], ...all.slice(place)]);
    }
    this.#changed();
  }

  take(dn: string): void {
    if (this.#entries.delete(keyOf(dn))) this.#changed();
  }
}

/** The order of the server's pages. */
const order = new Intl.Collator('en', { numeric: true });
