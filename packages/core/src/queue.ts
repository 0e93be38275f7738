/** Those who wait on this node, by key. */
export class Queue {
  readonly #waiting = new Map<string, Set<() => void>>();

  length(key: string): number {
    return this.#waiting.get(key)?.size ?? 0;
  }

  /** Resolves when called, or when `moment` does. */
  async wait(key: string, moment: Promise<void>): Promise<void> {
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    let call = () => {};
    const called = new Promise<void>((resolve) => {
      call = resolve;
    });
    waiting.add(call);
    await Promise.race([called, moment]);
    waiting.delete(call);
    if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key);
  }

  /** Calls the one who came first. */
  call(key: string): void {
    const waiting = this.#waiting.get(key);
    const [first] = waiting ?? [];
    if (!first) return;
    waiting?.delete(first);
    first();
  }
}
