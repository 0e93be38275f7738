/** A ledger in which nothing is changed: what lasts is a draft; events, and what is about the next seconds only, are left out. */
import {
  type Entering,
  keptState,
  type Leaving,
  type Ledger,
  type Settlement,
  type StateBefore,
} from '../../../ports/store/ledger.ts';
import { DraftedStore, type Note } from './drafted-store.ts';

export class DraftedLedger extends DraftedStore implements Ledger {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger, note: Note) {
    super(ledger, note);
    this.#ledger = ledger;
  }

  get holder(): string {
    return this.#ledger.holder;
  }

  isGone(holder: string): boolean {
    return this.#ledger.isGone(holder);
  }

  async enter<T>({ lasting, momentary, held, decide }: Entering<T>): Promise<T> {
    const found = {
      lasting: await this.#stateOf(lasting),
      momentary: await this.#momentary(momentary, held),
    };
    return decide(found).result;
  }

  async settle<T>(
    keys: readonly string[],
    decide: (found: StateBefore) => Settlement<T>,
    leaving?: Leaving<T>,
  ): Promise<T> {
    const { result, values = new Map(), claims = [] } = decide(await this.#stateOf(keys));
    for (const [key, after] of values) await (after ? this.put(key, after.value) : this.remove(key));
    for (const { key, value } of claims) await this.claim(key, value);
    if (!leaving) return result;
    leaving.made(result);
    return leaving.change(await this.#momentary(leaving.keys, leaving.held), result).result;
  }

  async #stateOf(keys: readonly string[]): Promise<StateBefore> {
    const values = new Map<string, Uint8Array | undefined>();
    const claimed = new Map<string, number | undefined>();
    for (const key of keys) {
      values.set(key, await this.get(key));
      claimed.set(key, await this.claimed(key));
    }
    return { value: (key) => values.get(key), claimed: (key) => claimed.get(key) };
  }

  /** Looked at where it is, and left as it is. */
  #momentary(momentary: readonly string[], held?: number): Promise<StateBefore> {
    const decide = (found: { readonly momentary: StateBefore }) => ({
      result: keptState(found.momentary, momentary),
    });
    return this.#ledger.enter({ lasting: [], momentary, held, decide });
  }
}
