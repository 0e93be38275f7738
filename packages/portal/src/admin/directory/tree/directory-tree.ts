/**
 * The state of the tree: open containers, their loaded children, and the chosen entry. It lives as long as the sign-in, so that people
 * find it again. A closed container keeps nothing: opened again, it is loaded again.
 */
import { filterFor, isSame, keyOf, parentOf, pathTo, rdnFilter } from '../names.ts';
import { Branch, type Child, firstPage, type ListChildren } from './branch.ts';
import { type Line, linesOf, mayOpen } from './lines.ts';

export class DirectoryTree {
  readonly roots: readonly string[];
  /** Pixels from the top that were scrolled. */
  place = 0;
  /** The entry that was last brought into sight. */
  shown: string | undefined;
  readonly #list: ListChildren;
  readonly #mayRead: (attribute: string) => boolean;
  readonly #open = new Map<string, Branch>();
  readonly #listeners = new Set<() => void>();
  #narrowed: { readonly text: string; readonly branches: readonly Branch[] } = { text: '', branches: [] };
  #chosen: string | undefined;
  #lines: readonly Line[] | undefined;

  /** @param mayRead the attributes that names are looked for in */
  constructor(
    list: ListChildren,
    roots: readonly string[],
    mayRead: (attribute: string) => boolean = () => true,
  ) {
    this.#list = list;
    this.#mayRead = mayRead;
    this.roots = roots;
    for (const root of roots) this.open(root);
  }

  /** @returns what ends it */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same array until something changes. */
  lines = (): readonly Line[] => {
    this.#lines ??= linesOf(this.roots, (key) => this.#shownOf(key));
    return this.#lines;
  };

  #changed = (): void => {
    this.#lines = undefined;
    for (const listener of this.#listeners) listener();
  };

  #branchOf = (dn: string, filter?: string): Branch =>
    new Branch(dn, filter, { list: this.#list, changed: this.#changed });

  /** Returns the children of a container; undefined: it is closed. */
  branch(dn: string): Branch | undefined {
    return this.#shownOf(keyOf(dn));
  }

  #shownOf(key: string): Branch | undefined {
    const open = this.#open.get(key);
    return open && (this.#narrowed.branches.find(({ container }) => keyOf(container) === key) ?? open);
  }

  /** Those of which there is more than is shown, or was at first. */
  large(): readonly Branch[] {
    const shown = [...this.#open.values()].flatMap(({ container }) => this.branch(container) ?? []);
    return shown.filter(
      ({ isWhole, entries, error }) =>
        error !== undefined || (entries.size > 0 && (!isWhole || entries.size > firstPage)),
    );
  }

  open(dn: string): void {
    if (this.#open.has(keyOf(dn))) return;
    const branch = this.#branchOf(dn);
    this.#open.set(keyOf(dn), branch);
    void branch.begin();
    this.#changed();
  }

  /** Closes a container, with all open ones below it. */
  close(dn: string): void {
    const closed = [...this.#open].filter(([, { container }]) => pathTo(container, dn).length > 0);
    for (const [key, branch] of closed) {
      branch.stop();
      this.#open.delete(key);
    }
    this.#changed();
  }

  toggle(dn: string): void {
    if (this.#open.has(keyOf(dn))) this.close(dn);
    else this.open(dn);
  }

  /** The text of the filter. */
  get text(): string {
    return this.#narrowed.text;
  }

  /** Filters the chosen container, else the container of the chosen entry, else the top. */
  narrow(text: string): void {
    const chosen = this.#chosen;
    const isOpen = (dn: string) => this.#open.has(keyOf(dn));
    const places = chosen === undefined ? this.roots : [chosen, parentOf(chosen)].filter(isOpen).slice(0, 1);
    const open = text === '' ? [] : places.filter(isOpen);
    for (const branch of this.#narrowed.branches) branch.stop();
    this.#narrowed = { text, branches: open.map((dn) => this.#branchOf(dn, filterFor(text, this.#mayRead))) };
    for (const branch of this.#narrowed.branches) void branch.begin();
    this.#changed();
  }

  /** Returns the filter for the children of an entry. */
  filterBelow(dn: string): string | undefined {
    const isNarrowed = this.#narrowed.branches.some(({ container }) => isSame(container, dn));
    return isNarrowed ? filterFor(this.text, this.#mayRead) : undefined;
  }

  /** Opens the path to an entry, however far down in its container. Never throws. */
  async choose(dn: string | undefined): Promise<void> {
    this.#chosen = dn;
    const way = dn === undefined ? [] : this.roots.map((root) => pathTo(dn, root));
    for (const one of way.find((path) => path.length > 0) ?? []) {
      const above = this.#open.get(keyOf(parentOf(one)));
      await above?.begin();
      const here = () => above && (this.branch(above.container)?.find(one) ?? above.find(one));
      if (above && !here()) await this.look(one);
      if (one !== dn || mayOpen(here()?.kind ?? 'user')) this.open(one);
    }
    const around = dn === undefined ? [] : [dn, parentOf(dn)];
    const isAround = ({ container }: Branch) => around.some((one) => isSame(one, container));
    if (this.text !== '' && around.length > 0 && !this.#narrowed.branches.some(isAround))
      this.narrow(this.text);
  }

  /** After a change: whether the entry is there, and what it is now. Never throws. */
  async look(dn: string): Promise<void> {
    const container = parentOf(dn);
    const open = this.#open.get(keyOf(container));
    if (!open) return;
    const child = await this.#childAt(dn, container);
    if (child === undefined) return;
    const narrowed = this.branch(container);
    if (child === null) {
      this.close(dn);
      for (const branch of [open, narrowed]) branch?.take(dn);
    } else {
      open.put(child);
      if (narrowed !== open && narrowed?.find(dn)) narrowed.put(child);
    }
  }

  /** Null: it is not there; undefined: nobody knows. */
  async #childAt(dn: string, container: string): Promise<Child | null | undefined> {
    const filter = rdnFilter(dn);
    if (filter === undefined) return undefined;
    try {
      const { entries } = await this.#list({ container, filter, max: 10 });
      return entries.find((entry) => isSame(entry.dn, dn)) ?? null;
    } catch {
      return undefined;
    }
  }
}
