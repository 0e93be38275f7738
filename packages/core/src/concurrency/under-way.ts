/**
 * What is under way, by numbers: much of it comes and goes. A Map alone would keep what has gone: whenever it makes room it leaves
 * a table behind, which names the one after it. As soon as one of these is old to the garbage collector, all that stood in
 * any later one stays until everything is collected (measured: 3 KB of each login). So a table names boxes, which are emptied.
 */
export class UnderWay<T extends object> {
  readonly #boxes = new Map<number, Box<T>>();

  get size(): number {
    return this.#boxes.size;
  }

  begin(id: number, item: T): void {
    this.#boxes.set(id, { item });
  }

  get(id: number): T | undefined {
    return this.#boxes.get(id)?.item;
  }

  /** It is over. @returns what it was */
  end(id: number): T | undefined {
    const box = this.#boxes.get(id);
    if (!box) return undefined;
    const { item } = box;
    box.item = undefined;
    this.#boxes.delete(id);
    return item;
  }

  /** In the order in which they began; some may end meanwhile. */
  *[Symbol.iterator](): Generator<readonly [id: number, item: T]> {
    for (const [id, { item }] of this.#boxes) if (item !== undefined) yield [id, item];
  }
}

interface Box<T> {
  item: T | undefined;
}
