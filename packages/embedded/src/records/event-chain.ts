/**
 * The records of the event log on LMDB: one chain for the folder, as its transactions come one after the other. Beside it
 * stands what may still change, how often a refusal was counted, until a checkpoint has told it.
 */

import {
  type AuditEvent,
  advanced,
  type Head,
  isDue,
  type KeyRing,
  type LinkedRecord,
  link,
  newChain,
  noHash,
  type Said,
  sealLink,
  type ToldCount,
} from '@watchword/core/ports';
import type { Database, Environment } from '../storage/environment.ts';
import { ChainRecords } from './chain-records.ts';
import { type ChainState, type State, stateIn } from './chain-state.ts';

/** What checkpoints are signed with. */
export type Signer = Pick<KeyRing, 'ids' | 'sign'>;

/** Of a refusal that was counted again. */
interface Count {
  readonly count: number;
  readonly last: number;
  /** Where it is found now: what was counted is newer than what came before. */
  readonly position: number;
}

/** An event, and where it is found: whatever came or was counted later has a higher position. */
export interface Placed {
  readonly number: number;
  readonly position: number;
  readonly event: AuditEvent;
}

export class EventChain {
  /** By their numbers. */
  readonly #records: ChainRecords;
  readonly #counts: Database<Count, number>;
  /** Numbers of counts that no checkpoint has told yet. */
  readonly #untold: Database<true, number>;
  readonly #state: ChainState;
  readonly #signer: Signer | undefined;

  /** @param signer left out: there are no checkpoints */
  constructor(environment: Environment, signer: Signer | undefined) {
    const ordered = { keyEncoding: 'ordered-binary' } as const;
    this.#records = new ChainRecords(environment);
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

  /** The time that the age of events is measured by; undefined: the clock has leapt, and nothing is old. */
  ageClock(now: number): number | undefined {
    const state = this.#state.change();
    if (!state) return undefined;
    state.age = advanced(state.age ?? { time: Math.min(now, state.checkpoint?.time ?? now) }, now);
    return state.age.leapt === undefined ? now : undefined;
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
    for (const [number, kept] of [...this.#records.range({ limit: most })]) {
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

  /** The numbers of all events, in the order in which they came or were counted last. */
  inOrder(): readonly number[] {
    const all: (readonly [position: number, number: number])[] = [];
    for (const [key, value] of this.#records.range())
      if (value.signature === undefined) all.push([this.#counts.get(key)?.position ?? value.position, key]);
    return all.sort(([a], [b]) => a - b).map(([, number]) => number);
  }

  /** The first record, or the last checkpoint of a time or before. */
  beginning(since: number | undefined): number {
    const { first = 1 } = this.#records;
    if (since === undefined) return first;
    for (const [key, value] of this.#records.range({ reverse: true })) {
      if (value.signature === undefined) continue;
      const said: Said = JSON.parse(value.record);
      if ('checkpoint' in said && said.checkpoint.time <= since) return key;
    }
    return first;
  }

  get #lastNumber(): number {
    return this.#records.last ?? 0;
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
