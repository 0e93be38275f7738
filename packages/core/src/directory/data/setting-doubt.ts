/** Warnings about invalid settings on entries, each logged once while the server runs. */

import { printable } from '../../ports/event-log/event-log.ts';
import type { Log } from '../../ports/log/log.ts';

export interface Doubt {
  readonly dn: string;
  /** Name in our words. */
  readonly name: string;
  /** The stored text. */
  readonly value: string;
  readonly wrong: string;
  /** The effective value; undefined for that of the layer below. */
  readonly text: string | undefined;
}

/** Logged warnings: logins read an entry again and again, and must not fill the log. */
const logged = new WeakMap<Pick<Log, 'warn'>, Set<string>>();
const mostLogged = 10_000;

export function logDoubt({ dn, name, value, wrong, text }: Doubt, log: Pick<Log, 'warn'>): void {
  const shown = printable(value.slice(0, 64));
  const key = JSON.stringify([dn, name, shown]);
  const known = logged.get(log) ?? new Set();
  logged.set(log, known);
  if (known.has(key) || known.size >= mostLogged) return;
  known.add(key);
  const instead =
    text === undefined ? 'the layer below' : text === value ? 'as it is: it opens nothing' : text;
  log.warn(`a setting on an entry cannot be used: ${name} ${wrong}`, { dn, value: shown, instead });
}
