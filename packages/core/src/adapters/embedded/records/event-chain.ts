/**
 * The records of the event log on LMDB: one chain for the folder, as its transactions come one after the other. Beside it
 * stands what may still change, how often a refusal was counted, until a checkpoint has told it.
 */
import {
  type Head,
  isDue,
  link,
  newChain,
  noHash,
  type Said,
  sealLink,
  type ToldCount,
} from '../../../events/chain.ts';
import type { KeyRing } from '../../../ports/keys.ts';
import type { AuditEvent, LinkedRecord } from '../../../ports/records.ts';
import type { PutOff } from '../storage/changes.ts';
import type { Database, Environment } from '../storage/environment.ts';

/** What checkpoints are signed with. */
export type Signer = Pick<KeyRing, 'ids' | 'sign'>;

interface Kept extends Omit<LinkedRecord, 'number' | 'counted'> {
  /** Where an event was found when it came, see {@link Count}. */
  readonly position: number;
}

/** Of a refusal that was counted again. */
interface Count {
  readonly count: number;
  readonly last: number;
  /** Where it is found now: what was counted is newer than what came before. */
  readonly position: number;
}

interface State {
  /** What the chain is called. */
  readonly chain: string;
  /** Its last record; left out by earlier versions: that with the highest number. */
  last?: Pick<Head, 'number' | 'hash'>;
  /** The highest one that was given away. */
  position: number;
  /** The last record that was removed. */
  removed?: Pick<Head, 'number' | 'hash'> | undefined;
  checkpoint?: { readonly number: number; readonly time: number };
}

/** An event, and where it is found: whatever came or was counted later has a higher position. */
export interface Placed {
  readonly number: number;
  readonly position: number;
  readonly event: AuditEvent;
}

export class EventChain {
  /** By their numbers. */
  readonly #records: Database<Kept, number>;
  readonly #counts: Database<Count, number>;
  /** Numbers of counts that no checkpoint has told yet. */
  readonly #untold: Database<true, number>;
  readonly #state: ChainState;
  readonly #signer: Signer | undefined;

  /** @param signer left out: there are no checkpoints */
  constructor(environment: Environment, signer: Signer | undefined) {
    const ordered = { keyEncoding: 'ordered-binary' } as const;
    this.#records = environment.table('event-chain', ordered);
    this.#counts = environment.table('event-counts', ordered);
    this.#untold = environment.table('event-counts-untold', ordered);
    this.#state = stateIn(environment);
    this.#signer = signer;
  }

  get isEmpty(): boolean {
    return this.#lastNumber === 0;
  }

  /** Adds an event, and a checkpoint behind it if one is due. */
  add(event: AuditEvent): Placed {
    const state = this.#state.change() ?? this.#state.begin(newChain(event).chain);
    const { number, hash, record } = link(this.#head(state), { event });
    state.position += 1;
    state.last = { number, hash };
    const { position } = state;
    this.#records.put(number, { hash, record, position });
    if (this.#signer && isDue(state.checkpoint, { number, time: event.time })) this.checkpoint(event.time);
    return { number, position, event };
  }

  /** An event as it is by now, with how often it was. */
  at(number: number): Placed | undefined {
    const kept = this.#records.get(number);
    if (!kept) return undefined;
    const said: Said = JSON.parse(kept.record);
    if (!('event' in said)) return undefined;
    const { position = kept.position, ...counted } = this.#counts.get(number) ?? {};
    return { number, position, event: { ...said.event, ...counted } };
  }

  /** Counts an event again. @returns where it is found from now on */
  count(number: number, { count = 1, last = 0 }: AuditEvent): number {
    const state = this.#state.change();
    if (!state) return 0;
    state.position += 1;
    const { position } = state;
    this.#counts.put(number, { count, last, position });
    if (this.#signer) this.#untold.put(number, true);
    return position;
  }

  /** Tells what has been counted and removed since the last one, and signs it. @param exported it closes an export */
  checkpoint(time: number, more: { readonly exportedFrom?: number } = {}): number {
    const state = this.#signer && this.#state.change();
    if (!state || !this.#signer) return 0;
    const head = this.#head(state);
    const exported = more.exportedFrom === undefined ? undefined : [{ ...head, from: more.exportedFrom }];
    const { removed } = state;
    const content = {
      time,
      counted: this.#takeCounts(),
      ...(removed && { removed }),
      ...(exported && { exported }),
    };
    const { number, ...kept } = sealLink(head, content, this.#signer);
    this.#records.put(number, { ...kept, position: state.position });
    state.last = { number, hash: kept.hash };
    state.checkpoint = { number, time };
    return number;
  }

  /** Removes the oldest records, but the last of all stays. @returns the events among them, and the time of the one that is left */
  removeOld(
    before: number,
    most: number,
  ): { readonly events: readonly Placed[]; readonly oldest: number | undefined } {
    const events: Placed[] = [];
    const last = this.#lastNumber;
    let removed: State['removed'];
    let oldest: number | undefined;
    for (const { key: number, value: kept } of [...this.#records.getRange({ limit: most })]) {
      const placed = this.at(number);
      oldest = placed?.event.time;
      if (number === last || (oldest !== undefined && oldest >= before)) break;
      if (placed) events.push(placed);
      for (const table of [this.#records, this.#counts, this.#untold]) table.remove(number);
      removed = { number, hash: kept.hash };
    }
    const state = removed && this.#state.change();
    if (state) state.removed = removed;
    return { events, oldest };
  }

  /** Records from this number on, as they are by now. */
  from(number: number, most: number): readonly LinkedRecord[] {
    return [...this.#records.getRange({ start: number, limit: most })].map(({ key, value }) => {
      const { position: _, ...kept } = value;
      const counted = this.#counts.get(key);
      return {
        number: key,
        ...kept,
        ...(counted && { counted: { count: counted.count, last: counted.last } }),
      };
    });
  }

  /** The numbers of all events, in the order in which they came or were counted last. */
  inOrder(): readonly number[] {
    const all: (readonly [position: number, number: number])[] = [];
    for (const { key, value } of this.#records.getRange())
      if (value.signature === undefined) all.push([this.#counts.get(key)?.position ?? value.position, key]);
    return all.sort(([a], [b]) => a - b).map(([, number]) => number);
  }

  /** The first record, or the last checkpoint of a time or before. */
  beginning(since: number | undefined): number {
    const [first = 1] = this.#records.getKeys({ limit: 1 });
    if (since === undefined) return first;
    for (const { key, value } of this.#records.getRange({ reverse: true })) {
      if (value.signature === undefined) continue;
      const said: Said = JSON.parse(value.record);
      if ('checkpoint' in said && said.checkpoint.time <= since) return key;
    }
    return first;
  }

  get #lastNumber(): number {
    const [last = 0] = this.#records.getKeys({ reverse: true, limit: 1 });
    return last;
  }

  #head({ chain, last }: State): Head {
    const number = last?.number ?? this.#lastNumber;
    return { chain, number, hash: last?.hash ?? this.#records.get(number)?.hash ?? noHash };
  }

  #takeCounts(): readonly ToldCount[] {
    const numbers = [...this.#untold.getKeys()];
    for (const number of numbers) this.#untold.remove(number);
    return numbers.flatMap((number) => {
      const counted = this.#counts.get(number);
      return counted ? [[number, counted.count, counted.last] as const] : [];
    });
  }
}

/** Where the chain of an environment stands. Events that share a transaction share one record of it, which is written at the end. */
class ChainState implements PutOff {
  readonly #environment: Environment;
  readonly #table: Database<State, string>;
  /** As the transaction that is being made leaves it. */
  #made: State | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#table = environment.table('event-chain-state', {});
  }

  /** To be changed within a transaction. */
  change(): State | undefined {
    return this.#made ?? this.#keep(this.#table.get(''));
  }

  /** Of a chain that has no record yet. */
  begin(chain: string): State {
    return this.#keep({ chain, position: 0 });
  }

  #keep<S extends State | undefined>(state: S): S {
    if (state) this.#environment.atItsEnd(this);
    this.#made = state;
    return state;
  }

  write(): void {
    if (this.#made) this.#table.put('', this.#made);
  }

  forget(): void {
    this.#made = undefined;
  }
}

/** One for each, whoever adds to it. */
const states = new WeakMap<Environment, ChainState>();

function stateIn(environment: Environment): ChainState {
  const known = states.get(environment) ?? new ChainState(environment);
  states.set(environment, known);
  return known;
}
