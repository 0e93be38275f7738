/**
 * What this node has seen last under some keys. It is only ever a guess, which the database compares with what is there:
 * a step that guessed right is one round trip.
 */
type Seen = Buffer | undefined;

/** So many keys are remembered, those that were of use last. */
const most = 4096;
/** What is longer is not remembered. In bytes. */
const longest = 8192;

export class Guesses {
  readonly #seen = new Map<string, Seen>();

  /** Undefined: nothing is there, as far as is known. */
  at(id: string): Seen {
    return this.#seen.get(id);
  }

  note(id: string, value: Seen): void {
    this.#seen.delete(id);
    if (value === undefined || value.length > longest) return;
    this.#seen.set(id, value);
    if (this.#seen.size <= most) return;
    for (const oldest of this.#seen.keys()) {
      this.#seen.delete(oldest);
      return;
    }
  }
}
