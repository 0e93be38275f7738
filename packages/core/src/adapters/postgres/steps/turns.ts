/** Steps of this process about the same keys are made one after the other: only nodes can get in each other's way. */
export class KeyTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task when those before it that have a key in common have ended. @throws what the task throws */
  async run<T>(ids: readonly string[], task: () => Promise<T>): Promise<T> {
    const before = ids.flatMap((id) => this.#last.get(id) ?? []);
    const mine = before.length === 0 ? task() : Promise.all(before).then(task);
    const ended = mine.then(nothing, nothing);
    for (const id of ids) this.#last.set(id, ended);
    try {
      return await mine;
    } finally {
      for (const id of ids) if (this.#last.get(id) === ended) this.#last.delete(id);
    }
  }
}

const nothing = (): void => undefined;
