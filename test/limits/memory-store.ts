/** A store in memory, for a hundred thousand logins: what is durable is another test's business. */
import type {
  AdmitStep,
  CommitChanges,
  CommitStep,
  CountStep,
  EphemeralStepState,
  Ledger,
  Store,
} from '@watchword/core';
import { releasedValues } from '@watchword/core/ports';

type Change = Parameters<Store['swap']>[1];

interface Update<T> {
  readonly result: T;
  readonly after?: { readonly value: Uint8Array; readonly seconds: number } | null;
}

export class MemoryStore implements Store {
  readonly #values = new Map<string, { readonly value: Uint8Array; readonly end: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#values.size;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return this.#read(key);
  }

  async put(key: string, value: Uint8Array, seconds: number): Promise<void> {
    this.write(key, value, this.#now() + seconds * 1000);
  }

  async remove(key: string): Promise<void> {
    this.#values.delete(key);
  }

  async take(key: string): Promise<Uint8Array | undefined> {
    const value = this.#read(key);
    this.#values.delete(key);
    return value;
  }

  async claim(key: string, value: number, seconds: number): Promise<boolean> {
    return this.raise(key, value, seconds);
  }

  raise(key: string, value: number, seconds: number): boolean {
    const before = this.#read(key);
    if (before !== undefined && value <= Number(Buffer.from(before).toString())) return false;
    this.write(key, Buffer.from(String(value)), this.#now() + seconds * 1000);
    return true;
  }

  async claimed(key: string): Promise<number | undefined> {
    return numberOf(this.#read(key));
  }

  async count(key: string, { by, seconds, limit }: CountStep): Promise<number | undefined> {
    const before = this.#read(key);
    const reached = Math.max(0, Number(Buffer.from(before ?? '0').toString()) + by);
    if (by === 0) return reached;
    if (limit !== undefined && by > 0 && reached > limit) return undefined;
    const end = before ? (this.#values.get(key)?.end ?? 0) : this.#now() + seconds * 1000;
    if (reached === 0) this.#values.delete(key);
    else this.write(key, Buffer.from(String(reached)), end);
    return reached;
  }

  async update<T>(key: string, change: (before: Uint8Array | undefined) => Update<T>): Promise<T> {
    const { result, after } = change(this.#read(key));
    if (after === null) this.#values.delete(key);
    else if (after) this.write(key, after.value, this.#now() + after.seconds * 1000);
    return result;
  }

  async swap(key: string, { before, after, seconds }: Change): Promise<boolean> {
    const now = this.#read(key);
    if (before === undefined ? now !== undefined : !now || Buffer.compare(now, before) !== 0) return false;
    this.write(key, after, (now && this.#values.get(key)?.end) ?? this.#now() + seconds * 1000);
    return true;
  }

  async *family(
    name: string,
    most = 100,
  ): AsyncIterable<readonly { readonly key: string; readonly value: Uint8Array }[]> {
    let page: { readonly key: string; readonly value: Uint8Array }[] = [];
    for (const key of this.#values.keys()) {
      const value = key.startsWith(`${name}:`) ? this.#read(key) : undefined;
      if (value) page.push({ key, value });
      if (page.length < most) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  async probe(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {}

  /** The values of now. */
  get state(): EphemeralStepState {
    return {
      now: this.#now(),
      value: (key) => this.#read(key),
      claimed: (key) => numberOf(this.#read(key)),
      hasEnded: () => false,
    };
  }

  set(values: NonNullable<CommitChanges<never>['values']>): void {
    for (const [key, kept] of values) {
      if (kept === null) this.#values.delete(key);
      else this.write(key, kept.value, this.#now() + kept.seconds * 1000);
    }
  }

  #read(key: string): Uint8Array | undefined {
    const found = this.#values.get(key);
    return found && found.end > this.#now() ? found.value : undefined;
  }

  /** All that sets a value comes through here. */
  write(key: string, value: Uint8Array, end: number): void {
    this.#values.set(key, { value: Uint8Array.from(value), end });
  }
}

const numberOf = (value: Uint8Array | undefined): number | undefined =>
  value && Number(Buffer.from(value).toString());

/** The same with what is about the next seconds beside it: one node's, or all nodes'. */
export class MemoryLedger extends MemoryStore implements Ledger {
  readonly holder = 'memory';
  readonly ephemeral: MemoryStore;
  readonly #events: string[];

  /** @param events what is told of logins */
  constructor(now: () => number, events: string[] = []) {
    super(now);
    this.ephemeral = new MemoryStore(now);
    this.#events = events;
  }

  async admit<R>({ decide }: AdmitStep<R>): Promise<R> {
    const { result, values = [] } = decide(this.state, this.ephemeral.state);
    this.ephemeral.set(values);
    return result;
  }

  async commit<R>({ decide }: CommitStep<R>): Promise<R> {
    const { result, values = [], claims = [], events = [], release = [] } = decide(this.state);
    this.set(values);
    for (const { key, value, seconds } of claims) this.raise(key, value, seconds);
    this.#events.push(...events.map(({ text }) => text));
    this.ephemeral.set(releasedValues(release, this.ephemeral.state, this.holder));
    return result;
  }

  hasEnded(): boolean {
    return false;
  }
}
