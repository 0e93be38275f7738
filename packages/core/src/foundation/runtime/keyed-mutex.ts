/** A mutex for each key: tasks with the same key run one after the other, in the order of their calls. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task after all earlier tasks with its key have settled. @throws what the task throws */
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
