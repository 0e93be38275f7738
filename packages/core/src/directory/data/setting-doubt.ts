/** Settings on entries that cannot be used as they stand: told in the log, each once while the server runs. */

import { printable } from '../../ports/event-log/event-log.ts';
import type { Log } from '../../ports/log/log.ts';

export interface Doubt {
  readonly dn: string;
  /** In our words. */
  readonly name: string;
  /** As it stands there. */
  readonly value: string;
  readonly wrong: string;
  /** What is in force instead; undefined: the layer below. */
  readonly text: string | undefined;
}

/** A login reads the same entry again and again, and whoever asks for logins must not fill the log. */
const told = new WeakMap<Pick<Log, 'warn'>, Set<string>>();
const mostTold = 10_000;

export function tellDoubt({ dn, name, value, wrong, text }: Doubt, log: Pick<Log, 'warn'>): void {
  const shown = printable(value.slice(0, 64));
  const key = JSON.stringify([dn, name, shown]);
  const known = told.get(log) ?? new Set();
  told.set(log, known);
  if (known.has(key) || known.size >= mostTold) return;
  known.add(key);
  const instead =
    text === undefined ? 'the layer below' : text === value ? 'as it is: it opens nothing' : text;
  log.warn(`a setting on an entry cannot be used: ${name} ${wrong}`, { dn, value: shown, instead });
}
