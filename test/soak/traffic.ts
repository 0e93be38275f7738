/** Mixed traffic: the kinds take their shares in an order that is the same in every run. */
import type { Kind } from './kinds.ts';

/** At a time. */
const clients = 32;

export class Traffic {
  readonly #kinds: readonly (readonly [string, Kind])[];
  /** The kind of each operation, again and again. */
  readonly #order: readonly number[];
  readonly #turns: number[];
  #done = 0;
  /** What was answered and is not right, by kind; the first ones. */
  readonly faults: string[] = [];

  constructor(kinds: Readonly<Record<string, Kind>>) {
    this.#kinds = Object.entries(kinds);
    this.#turns = this.#kinds.map(() => 0);
    this.#order = mixed(this.#kinds.flatMap(([, { share }], at) => Array<number>(share).fill(at)));
  }

  get done(): number {
    return this.#done;
  }

  /** How many operations there were of each kind. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#kinds.map(([name], at) => [name, this.#turns[at] ?? 0]));
  }

  /** Goes on until there were so many operations in all, and each of them is answered. */
  async run(until: number): Promise<void> {
    const goOn = async () => {
      while (this.#done < until) await this.#next();
    };
    await Promise.all(Array.from({ length: clients }, goOn));
  }

  async #next(): Promise<void> {
    const at = this.#order[this.#done % this.#order.length] ?? 0;
    const turn = this.#turns[at] ?? 0;
    this.#done += 1;
    this.#turns[at] = turn + 1;
    const [name = '', kind] = this.#kinds[at] ?? [];
    const fault = await kind?.run(turn).catch((error: unknown) => `threw ${error}`);
    if (fault !== undefined && this.faults.length < 50) this.faults.push(`${name} ${turn}: ${fault}`);
  }
}

/** The same for the same list. */
function mixed(list: readonly number[]): readonly number[] {
  let state = 1;
  const keyed = list.map((item) => {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    return [state >>> 8, item] as const;
  });
  return keyed.toSorted(([a], [b]) => a - b).map(([, item]) => item);
}
