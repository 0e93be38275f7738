/** Where the event chain of an environment stands. */

import type { AgeClock, Head } from '@watchword/core/ports';
import type { PutOff } from '../storage/changes.ts';
import type { Database, Environment } from '../storage/environment.ts';
import { byteOfText, isText, textIn } from './chain-records.ts';

export interface State {
  /** What the chain is called. */
  readonly chain: string;
  /** Its last record; left out by earlier versions: that with the highest number. */
  last?: Pick<Head, 'number' | 'hash'>;
  /** The highest one that was given away. */
  position: number;
  /** The last record that was removed. */
  removed?: Pick<Head, 'number' | 'hash'> | undefined;
  checkpoint?: { readonly number: number; readonly time: number };
  /** Left out: no event was looked at for its age yet. */
  age?: AgeClock;
}

/** Events that share a transaction share one record of it, which is written at the end. */
export class ChainState implements PutOff {
  readonly #environment: Environment;
  /** Its JSON, behind the byte of {@link byteOfText}; undefined: an earlier version has packed it. */
  readonly #table: Database<string | undefined, string>;
  readonly #older: Database<State, string>;
  /** As the transaction that is being made leaves it. */
  #made: State | undefined;
  /** What was written last, and its JSON: nearly always it is what is found the next time. */
  #written: { readonly text: string; readonly state: State } | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#table = environment.table('event-chain-state', { encoder: { encode, decode } });
    this.#older = environment.table('event-chain-state', {});
  }

  /** To be changed within a transaction. */
  change(): State | undefined {
    return this.#made ?? this.#keep(this.#stored());
  }

  /** Of a chain that has no record yet. */
  begin(chain: string): State {
    return this.#keep({ chain, position: 0 });
  }

  /** What was written goes to whoever changes it: if that is not stored in the end, it is read anew. */
  #stored(): State | undefined {
    const written = this.#written;
    this.#written = undefined;
    const text = this.#table.get('');
    if (text === undefined) return this.#older.get('');
    return text === written?.text ? written.state : JSON.parse(text);
  }

  #keep<S extends State | undefined>(state: S): S {
    if (state) this.#environment.atItsEnd(this);
    this.#made = state;
    return state;
  }

  write(): void {
    const state = this.#made;
    if (!state) return;
    const text = JSON.stringify(state);
    this.#table.put('', text);
    this.#written = { text, state };
  }

  forget(): void {
    this.#made = undefined;
  }
}

const encode = (text: string | undefined): Buffer => Buffer.from(`${byteOfText}${text}`, 'utf8');
const decode = (bytes: Buffer): string | undefined => (isText(bytes) ? textIn(bytes) : undefined);

/** One for each, whoever adds to it. */
const states = new WeakMap<Environment, ChainState>();

export function stateIn(environment: Environment): ChainState {
  const known = states.get(environment) ?? new ChainState(environment);
  states.set(environment, known);
  return known;
}
