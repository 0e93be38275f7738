/**
 * An order on its way to another process: its head, and then its values, some at a time, so that to copy them keeps
 * nobody waiting. Names go as what they consist of, so that none is read twice.
 */

import { type AttributeValue, Dn, type Rdn, type Reason, ServiceError } from '@watchword/core/foundation';
import type { Change, Random } from '@watchword/core/ports';
import type { Order, Update } from '../entries/update.ts';

type Rdns = readonly Rdn[];

/** All of an order but its values. */
export interface Head {
  readonly update:
    | { readonly kind: Exclude<Update['kind'], 'rename'> }
    | { readonly kind: 'rename'; readonly rdn: Rdn; readonly parent: Rdns | undefined };
  readonly dn: Rdns;
  readonly access: { readonly identity: Rdns; readonly trusted: boolean; readonly writers: readonly Rdns[] };
  readonly by: string;
  readonly now: number;
  /** As many as an entry needs that is made. */
  readonly random: Uint8Array;
}

/** Values of a change, or of an attribute of a new entry. */
export interface Part extends Change {
  /** There were some of it before. */
  readonly continues: boolean;
}

/** What goes there: the head, all of its values, and then that this is all. */
export type Message =
  | { readonly id: number; readonly head: Head }
  | { readonly id: number; readonly parts: readonly Part[] }
  | { readonly id: number; readonly isWhole: true };

/** What comes back. */
export interface Answer {
  readonly id: number;
  /** Left out: it is made. */
  readonly error?: { readonly reason: Reason; readonly detail?: string; readonly cause?: string };
}

const randomLength = 16;
/** So many values take a millisecond or so to copy. */
const valuesAtOnce = 1000;

export function headOf({ update, access, author }: Order): Head {
  const { kind, dn } = update;
  const { identity, trusted, writers } = access;
  return {
    update: kind === 'rename' ? { kind, rdn: update.to.rdn, parent: update.to.parent?.rdns } : { kind },
    dn: dn.rdns,
    access: { identity: identity.rdns, trusted, writers: writers.map(({ rdns }) => rdns) },
    by: author.by,
    now: author.now,
    random: author.random.bytes(randomLength),
  };
}

/** The values of an order, in pieces. */
export function* piecesOf({ update }: Order): Generator<readonly Part[]> {
  let piece: Part[] = [];
  let room = valuesAtOnce;
  for (const part of partsOf(update)) {
    piece.push(part);
    room -= part.values.length + 1;
    if (room > 0) continue;
    yield piece;
    [piece, room] = [[], valuesAtOnce];
  }
  if (piece.length > 0) yield piece;
}

function* partsOf(update: Update): Generator<Part> {
  for (const { operation, attribute, values } of changesOf(update)) {
    for (let at = 0; at === 0 || at < values.length; at += valuesAtOnce)
      yield { operation, attribute, values: values.slice(at, at + valuesAtOnce), continues: at > 0 };
  }
}

function* changesOf(update: Update): Generator<Change> {
  if (update.kind === 'modify') yield* update.changes;
  if (update.kind !== 'add') return;
  for (const [attribute, values] of update.attributes) yield { operation: 'add', attribute, values };
}

/** An order that is coming in. */
export class Incoming {
  readonly #head: Head;
  readonly #changes: { operation: Change['operation']; attribute: string; values: AttributeValue[] }[] = [];

  constructor(head: Head) {
    this.#head = head;
  }

  take(parts: readonly Part[]): void {
    for (const { operation, attribute, values, continues } of parts) {
      const last = continues ? this.#changes.at(-1) : undefined;
      if (last) for (const value of values) last.values.push(value);
      else this.#changes.push({ operation, attribute, values: [...values] });
    }
  }

  /** The order, once all of it is there. */
  whole(): Order {
    const { access, by, now, random } = this.#head;
    const { identity, trusted, writers } = access;
    return {
      update: this.#update(),
      access: { identity: named(identity), trusted, writers: writers.map(named) },
      author: { by, now, random: onlyOnce(random) },
    };
  }

  #update(): Update {
    const { update } = this.#head;
    const dn = named(this.#head.dn);
    if (update.kind === 'rename') {
      const { kind, rdn, parent } = update;
      return { kind, dn, to: { rdn, ...(parent && { parent: named(parent) }) } };
    }
    const { kind } = update;
    if (kind === 'remove') return { kind, dn };
    if (kind === 'modify') return { kind, dn, changes: this.#changes };
    const attributes = new Map(this.#changes.map(({ attribute, values }) => [attribute, values]));
    return { kind, dn, attributes };
  }
}

/** What goes there is for one name: twice the same would be no accident any more. */
function onlyOnce(random: Uint8Array): Random {
  let isTaken = false;
  return {
    bytes(length) {
      if (isTaken || length !== random.length)
        throw new ServiceError('internal', {
          cause: `${length} random bytes are wanted of an order that has ${isTaken ? 'none left' : random.length}`,
        });
      isTaken = true;
      return random;
    },
  };
}

const named = (rdns: Rdns): Dn => rdns.reduceRight((above, rdn) => above.child(rdn), Dn.root);
