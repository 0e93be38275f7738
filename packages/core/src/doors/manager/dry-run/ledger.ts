/** The ledger of a dry run: durable values are drafts; events and ephemeral changes are dropped. */
import {
  type AdmitStep,
  type CommitStep,
  type EphemeralStepState,
  type KeyList,
  type Ledger,
  type StepState,
  snapshotOf,
} from '../../../ports/store/ledger.ts';
import { DryRunStore, type Note } from './store.ts';

export class DryRunLedger extends DryRunStore implements Ledger {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger, note: Note) {
    super(ledger, note);
    this.#ledger = ledger;
  }

  get holder(): string {
    return this.#ledger.holder;
  }

  hasEnded(holder: string): boolean {
    return this.#ledger.hasEnded(holder);
  }

  async admit<R>({ durable, ephemeral, decide }: AdmitStep<R>): Promise<R> {
    const there = await this.#ephemeral(ephemeral);
    return decide(await this.#stateOf(durable, there.now), there).result;
  }

  async commit<R>({ durable, decide }: CommitStep<R>): Promise<R> {
    const { now } = await this.#ephemeral([]);
    const { result, values = [], claims = [] } = decide(await this.#stateOf(durable, now));
    for (const [key, after] of values) await (after ? this.put(key, after.value) : this.remove(key));
    for (const { key, value } of claims) await this.claim(key, value);
    return result;
  }

  async #stateOf(keys: KeyList, now: number): Promise<StepState> {
    const values = new Map<string, Uint8Array | undefined>();
    const claimed = new Map<string, number | undefined>();
    for (const key of keys) {
      values.set(key, await this.get(key));
      claimed.set(key, await this.claimed(key));
    }
    return { now, value: (key) => values.get(key), claimed: (key) => claimed.get(key) };
  }

  /** Reads ephemeral values and leaves them as they are. */
  async #ephemeral(ephemeral: KeyList): Promise<EphemeralStepState> {
    const { kept, now } = await this.#ledger.admit({
      ...{ durable: [], ephemeral },
      decide: (_, found) => ({ result: { kept: snapshotOf(found, ephemeral), now: found.now } }),
    });
    return {
      now,
      value: (key) => kept.value(key),
      claimed: (key) => kept.claimed(key),
      hasEnded: (holder) => this.hasEnded(holder),
    };
  }
}
