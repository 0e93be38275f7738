/**
 * Single flight: one look at a time for each key, shared: who comes while one is under way gets the next one, which begins
 * after they came. So everybody is answered by a look that is not older than the question, and a hundred
 * who ask together cost two looks and not a hundred.
 */
interface Looking<T> {
  readonly running: Promise<T>;
  /** Begins when `running` has ended, if anybody waits for it. */
  next: Promise<T> | undefined;
}

export class SingleFlight<T> {
  readonly #underWay = new Map<string, Looking<T>>();

  /** @throws what `look` throws, to everybody who shares it */
  at(key: string, look: () => Promise<T>): Promise<T> {
    const looking = this.#underWay.get(key);
    if (!looking) return this.#begin(key, look);
    looking.next ??= looking.running.catch(() => undefined).then(() => this.#begin(key, look));
    return looking.next;
  }

  #begin(key: string, look: () => Promise<T>): Promise<T> {
    const looking: Looking<T> = { running: look(), next: undefined };
    this.#underWay.set(key, looking);
    const ended = () => {
      if (!looking.next) this.#underWay.delete(key);
    };
    looking.running.then(ended, ended);
    return looking.running;
  }
}
