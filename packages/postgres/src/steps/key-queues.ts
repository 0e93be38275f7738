/** Queues by key: steps of this process that share a key run one after the other, so they conflict with other nodes only. */
export class KeyQueues {
  readonly #last = new Map<string, QueuedStep>();

  /** Enters the queue of each key. The step may run when all steps before it have left. */
  enter(ids: readonly string[]): QueuedStep {
    const step = new QueuedStep(ids);
    for (const id of ids) {
      const before = this.#last.get(id);
      if (before && before !== step) step.waitFor(before);
      this.#last.set(id, step);
    }
    return step;
  }

  leave(step: QueuedStep): void {
    for (const id of step.ids) if (this.#last.get(id) === step) this.#last.delete(id);
    step.left();
  }
}

/** A step in the queues of its keys. */
export class QueuedStep {
  readonly ids: readonly string[];
  /** Steps before it that have not left, one for each shared key. */
  #before = 0;
  #after: QueuedStep[] | undefined;
  #onTurn: (() => void) | undefined;

  constructor(ids: readonly string[]) {
    this.ids = ids;
  }

  /** @returns undefined if the step may run at once */
  turn(): Promise<void> | undefined {
    return this.#before === 0
      ? undefined
      : new Promise((resolve) => {
          this.#onTurn = resolve;
        });
  }

  waitFor(other: QueuedStep): void {
    other.#after ??= [];
    other.#after.push(this);
    this.#before += 1;
  }

  left(): void {
    for (const next of this.#after ?? []) {
      next.#before -= 1;
      if (next.#before === 0) next.#onTurn?.();
    }
  }
}
