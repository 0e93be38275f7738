/**
 * Messages of an update to the writer process: a head, and then its values in parts, so that copying them does not block the event loop. DNs
 * are sent as RDNs, and so not parsed again.
 */

import { type AttributeValue, Dn, type Rdn, type Reason, ServiceError } from '@watchword/core/foundation';
import type { Change, Random } from '@watchword/core/ports';
import type { Update, UpdateRequest } from '../entries/update.ts';

type Rdns = readonly Rdn[];

/** A request without its values. */
export interface RequestHead {
  readonly update:
    | { readonly kind: Exclude<Update['kind'], 'rename'> }
    | { readonly kind: 'rename'; readonly rdn: Rdn; readonly parent: Rdns | undefined };
  readonly dn: Rdns;
  readonly access: { readonly identity: Rdns; readonly trusted: boolean; readonly writers: readonly Rdns[] };
  readonly by: string;
  readonly now: number;
  /** The random bytes of a new entry. */
  readonly random: Uint8Array;
}

/** Values of a change, or of an attribute of a new entry. */
export interface Part extends Change {
  /** The values continue those of the last part. */
  readonly continues: boolean;
}

/** A message to the process: the head, parts of the values, and the end. */
export type Message =
  | { readonly id: number; readonly head: RequestHead }
  | { readonly id: number; readonly parts: readonly Part[] }
  | { readonly id: number; readonly isLast: true };

export interface Answer {
  readonly id: number;
  /** Left out: the update was made. */
  readonly error?: { readonly reason: Reason; readonly detail?: string; readonly cause?: string };
}

const randomLength = 16;
/** Values of a message, which take about a millisecond to copy. */
const valuesAtOnce = 1000;

export function headOf({ update, access, author }: UpdateRequest): RequestHead {
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

/** Splits the values of a request into messages. */
export function* messagesOf({ update }: UpdateRequest): Generator<readonly Part[]> {
  let parts: Part[] = [];
  let room = valuesAtOnce;
  for (const part of partsOf(update)) {
    parts.push(part);
    room -= part.values.length + 1;
    if (room > 0) continue;
    yield parts;
    [parts, room] = [[], valuesAtOnce];
  }
  if (parts.length > 0) yield parts;
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

/** A request that is being received. */
export class IncomingRequest {
  readonly #head: RequestHead;
  readonly #changes: { operation: Change['operation']; attribute: string; values: AttributeValue[] }[] = [];

  constructor(head: RequestHead) {
    this.#head = head;
  }

  add(parts: readonly Part[]): void {
    for (const { operation, attribute, values, continues } of parts) {
      const last = continues ? this.#changes.at(-1) : undefined;
      if (last) for (const value of values) last.values.push(value);
      else this.#changes.push({ operation, attribute, values: [...values] });
    }
  }

  /** Returns the request, after its last message. */
  request(): UpdateRequest {
    const { access, by, now, random } = this.#head;
    const { identity, trusted, writers } = access;
    return {
      update: this.#update(),
      access: { identity: named(identity), trusted, writers: writers.map(named) },
      author: { by, now, random: once(random) },
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

/** Returns the random bytes of a request, for a single use. */
function once(random: Uint8Array): Random {
  let isTaken = false;
  return {
    bytes(length) {
      if (isTaken || length !== random.length)
        throw new ServiceError('internal', {
          cause: `${length} random bytes are wanted of a request that has ${isTaken ? 'none left' : random.length}`,
        });
      isTaken = true;
      return random;
    },
  };
}

const named = (rdns: Rdns): Dn => rdns.reduceRight((above, rdn) => above.child(rdn), Dn.root);
