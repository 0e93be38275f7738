/** The state of the event chain of an environment. */

import type { AgeClock, ChainHead } from '@watchword/core/ports';
import type { DeferredWrite } from '../storage/changes.ts';
import type { Database, Environment } from '../storage/environment.ts';
import { byteOfText, isText, textIn } from './chain-records.ts';

export interface State {
  /** The name of the chain. */
  readonly chain: string;
  /** The last record; left out by earlier versions: the one with the highest number. */
  last?: Pick<ChainHead, 'number' | 'hash'>;
  /** The last position that was assigned. */
  position: number;
  /** The last record that was removed. */
  removed?: Pick<ChainHead, 'number' | 'hash'> | undefined;
  checkpoint?: { readonly number: number; readonly time: number };
  /** Left out: ages have not been measured yet. */
  age?: AgeClock;
}

/** The state as a deferred write: events of one transaction write it once. */
export class ChainState implements DeferredWrite {
  readonly #environment: Environment;
  /** JSON after {@link byteOfText}; undefined: a state in the format of earlier versions. */
  readonly #table: Database<string | undefined, string>;
  readonly #older: Database<State, string>;
  /** The state within the current transaction. */
  #current: State | undefined;
  /** A cache of the last state and its JSON. */
  #written: { readonly text: string; readonly state: State } | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#table = environment.table('event-chain-state', { encoder: { encode, decode } });
    this.#older = environment.table('event-chain-state', {});
  }

  /** Returns the state to change, within a transaction. */
  change(): State | undefined {
    return this.#current ?? this.#keep(this.#stored());
  }

  /** Begins a chain. */
  begin(chain: string): State {
    return this.#keep({ chain, position: 0 });
  }

  /** Reads the state. The cached object is handed out once: if the transaction fails, the next one parses the stored JSON. */
  #stored(): State | undefined {
    const written = this.#written;
    this.#written = undefined;
    const text = this.#table.get('');
    if (text === undefined) return this.#older.get('');
    return text === written?.text ? written.state : JSON.parse(text);
  }

  #keep<S extends State | undefined>(state: S): S {
    if (state) this.#environment.defer(this);
    this.#current = state;
    return state;
  }

  write(): void {
    const state = this.#current;
    if (!state) return;
    const text = JSON.stringify(state);
    this.#table.put('', text);
    this.#written = { text, state };
  }

  reset(): void {
    this.#current = undefined;
  }
}

const encode = (text: string | undefined): Buffer => Buffer.from(`${byteOfText}${text}`, 'utf8');
const decode = (bytes: Buffer): string | undefined => (isText(bytes) ? textIn(bytes) : undefined);

/** One state for each environment, which its event logs share. */
const states = new WeakMap<Environment, ChainState>();

export function stateIn(environment: Environment): ChainState {
  const known = states.get(environment) ?? new ChainState(environment);
  states.set(environment, known);
  return known;
}
