/** Runs tasks one after the other, for each key. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task when all those before it with the same key have ended. @throws what the task throws */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before ? before.then(task, task) : task();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
