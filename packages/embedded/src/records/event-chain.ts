/**
 * The chain of the event log on LMDB: one for the folder, as its transactions are serial. Counts of refusals may still change, and so are in a
 * table of their own until a checkpoint records them.
 */

import {
  type AuditEvent,
  advanceAgeClock,
  type ChainHead,
  type ChainRecord,
  genesisHash,
  isCheckpointDue,
  type KeyRing,
  type LinkedRecord,
  linkRecord,
  type SignedCount,
  signLink,
  startChain,
} from '@watchword/core/ports';
import type { Database, Environment } from '../storage/environment.ts';
import { ChainRecords } from './chain-records.ts';
import { type ChainState, type State, stateIn } from './chain-state.ts';

/** The signer of checkpoints. */
export type Signer = Pick<KeyRing, 'ids' | 'sign'>;

/** The count of an equal refusal. */
interface Count {
  readonly count: number;
  readonly last: number;
  /** The position of the event since it was last counted. */
  readonly position: number;
}

/** An event and its position, which rises in the order in which events were added or counted. */
export interface Placed {
  readonly number: number;
  readonly position: number;
  readonly event: AuditEvent;
}

export class EventChain {
  readonly #records: ChainRecords;
  readonly #counts: Database<Count, number>;
  /** Numbers of counts that no checkpoint has recorded. */
  readonly #pendingCounts: Database<true, number>;
  readonly #state: ChainState;
  readonly #signer: Signer | undefined;

  /** @param signer optional; default: there are no checkpoints */
  constructor(environment: Environment, signer: Signer | undefined) {
    const ordered = { keyEncoding: 'ordered-binary' } as const;
    this.#records = new ChainRecords(environment);
    this.#counts = environment.table('event-counts', ordered);
    this.#pendingCounts = environment.table('event-counts-untold', ordered);
    this.#state = stateIn(environment);
    this.#signer = signer;
  }

  get isEmpty(): boolean {
    return this.#lastNumber === 0;
  }

  /** Adds an event, and a checkpoint if one is due. */
  add(event: AuditEvent): Placed {
    const state = this.#state.change() ?? this.#state.begin(startChain(event).chain);
    const { number, hash, record } = linkRecord(this.#head(state), { event });
    state.position += 1;
    state.last = { number, hash };
    const { position } = state;
    this.#records.put(number, { hash, record, position });
    if (this.#signer && isCheckpointDue(state.checkpoint, { number, time: event.time }))
      this.checkpoint(event.time);
    return { number, position, event };
  }

  /** Reads an event with its current count. */
  at(number: number): Placed | undefined {
    const kept = this.#records.get(number);
    if (!kept) return undefined;
    const said: ChainRecord = JSON.parse(kept.record);
    if (!('event' in said)) return undefined;
    const { position = kept.position, ...counted } = this.#counts.get(number) ?? {};
    return { number, position, event: { ...said.event, ...counted } };
  }

  /** Sets the count of an event. @returns its new position */
  count(number: number, { count = 1, last = 0 }: AuditEvent): number {
    const state = this.#state.change();
    if (!state) return 0;
    state.position += 1;
    const { position } = state;
    this.#counts.put(number, { count, last, position });
    if (this.#signer) this.#pendingCounts.put(number, true);
    return position;
  }

  /**
   * Writes a signed checkpoint of the counts and removals since the last one.
   * @param more `exportedFrom`: the first record of an export that it closes
   */
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
    const { number, ...kept } = signLink(head, content, this.#signer);
    this.#records.put(number, { ...kept, position: state.position });
    state.last = { number, hash: kept.hash };
    state.checkpoint = { number, time };
    return number;
  }

  /** Returns the time by which ages are measured; undefined: the clock has leapt, and no event counts as old. */
  ageClock(now: number): number | undefined {
    const state = this.#state.change();
    if (!state) return undefined;
    state.age = advanceAgeClock(state.age ?? { time: Math.min(now, state.checkpoint?.time ?? now) }, now);
    return state.age.leapt === undefined ? now : undefined;
  }

  /** Removes the oldest records, except the last one. @returns the removed events, and the time of the oldest one left */
  removeOld(
    before: number,
    most: number,
  ): { readonly events: readonly Placed[]; readonly oldest: number | undefined } {
    const events: Placed[] = [];
    const last = this.#lastNumber;
    let removed: State['removed'];
    let oldest: number | undefined;
    for (const [number, kept] of [...this.#records.range({ limit: most })]) {
      const placed = this.at(number);
      oldest = placed?.event.time;
      if (number === last || (oldest !== undefined && oldest >= before)) break;
      if (placed) events.push(placed);
      for (const table of [this.#records, this.#counts, this.#pendingCounts]) table.remove(number);
      removed = { number, hash: kept.hash };
    }
    const state = removed && this.#state.change();
    if (state) state.removed = removed;
    return { events, oldest };
  }

  /** Reads records from this number on, with their current counts. */
  from(number: number, most: number): readonly LinkedRecord[] {
    return [...this.#records.range({ start: number, limit: most })].map(([key, value]) => {
      const { position: _, ...kept } = value;
      const counted = this.#counts.get(key);
      return {
        number: key,
        ...kept,
        ...(counted && { counted: { count: counted.count, last: counted.last } }),
      };
    });
  }

  /** Returns the numbers of all events by position. */
  inOrder(): readonly number[] {
    const all: (readonly [position: number, number: number])[] = [];
    for (const [key, value] of this.#records.range())
      if (value.signature === undefined) all.push([this.#counts.get(key)?.position ?? value.position, key]);
    return all.sort(([a], [b]) => a - b).map(([, number]) => number);
  }

  /** Returns the number of the last checkpoint at or before `since`, else of the first record. */
  beginning(since: number | undefined): number {
    const { first = 1 } = this.#records;
    if (since === undefined) return first;
    for (const [key, value] of this.#records.range({ reverse: true })) {
      if (value.signature === undefined) continue;
      const said: ChainRecord = JSON.parse(value.record);
      if ('checkpoint' in said && said.checkpoint.time <= since) return key;
    }
    return first;
  }

  get #lastNumber(): number {
    return this.#records.last ?? 0;
  }

  #head({ chain, last }: State): ChainHead {
    const number = last?.number ?? this.#lastNumber;
    return { chain, number, hash: last?.hash ?? this.#records.get(number)?.hash ?? genesisHash };
  }

  #takeCounts(): readonly SignedCount[] {
    const numbers = [...this.#pendingCounts.getKeys()];
    for (const number of numbers) this.#pendingCounts.remove(number);
    return numbers.flatMap((number) => {
      const counted = this.#counts.get(number);
      return counted ? [[number, counted.count, counted.last] as const] : [];
    });
  }
}
