/** Steps of this process about the same keys are made one after the other: only nodes can get in each other's way. */
export class KeyTurns {
  readonly #last = new Map<string, KeyTurn>();
  /** Those whose turn has come: each is begun when the one before it has been, or many that are over would begin within each other. */
  #coming: KeyTurn[] | undefined;

  /** Runs a task once those before it that have a key in common have ended, at once if there are none. It ends by `leave`. */
  enter(ids: readonly string[], task: () => void): KeyTurn {
    const turn = new KeyTurn(ids, task);
    for (const id of ids) {
      const before = this.#last.get(id);
      if (before && before !== turn) turn.standBehind(before);
      this.#last.set(id, turn);
    }
    return turn;
  }

  leave(turn: KeyTurn): void {
    for (const id of turn.ids) if (this.#last.get(id) === turn) this.#last.delete(id);
    const isOutermost = this.#coming === undefined;
    this.#coming ??= [];
    const coming = this.#coming;
    turn.letOthersIn(coming);
    if (!isOutermost) return;
    try {
      for (const next of coming) next.begin();
    } finally {
      this.#coming = undefined;
    }
  }
}

export class KeyTurn {
  readonly ids: readonly string[];
  readonly #task: () => void;
  /** So many of those before it have not ended yet, one for each key in common. */
  #before = 0;
  #behind: KeyTurn[] | undefined;

  constructor(ids: readonly string[], task: () => void) {
    this.ids = ids;
    this.#task = task;
  }

  /** To be called once, by whoever has entered. */
  begin(): void {
    if (this.#before === 0) this.#task();
  }

  standBehind(other: KeyTurn): void {
    other.#behind ??= [];
    other.#behind.push(this);
    this.#before += 1;
  }

  /** @param coming where those are put whose turn has come */
  letOthersIn(coming: KeyTurn[]): void {
    for (const next of this.#behind ?? []) {
      next.#before -= 1;
      if (next.#before === 0) coming.push(next);
    }
  }
}
