/** A batch of steps as `watchword.steps_together` takes it: what they expect, change and tell. */
import type { AuditEvent } from '@watchword/core/ports';
import type { TextParameter } from '../connection/text-query.ts';
import { bufferOf, type Change } from './changes.ts';
import type { EventRow } from './event-rows.ts';
import { type idOf, type Name, partsOf } from './names.ts';

export interface StepParts {
  /** A UUID, by which it is asked for later; null: it changes nothing. */
  readonly id: string | null;
  readonly names: readonly Name[];
  /** Of these, see {@link idOf}. */
  readonly ids: readonly string[];
  /** By the places of the names; undefined: whatever is there. */
  readonly expected: readonly (Buffer | undefined)[] | undefined;
  /** By the places of the names. */
  readonly changes: readonly (Change | undefined)[];
  readonly events: readonly AuditEvent[];
}

export interface Batch {
  readonly steps: readonly StepParts[];
  readonly lasts: boolean;
  /** Milliseconds since 1970; null: as the database's clock says. */
  readonly moment: number | null;
  /** Events of more days go; null: none. */
  readonly tooOld: number | null;
}

/** A key of a step. */
interface KeyPlace {
  readonly step: StepParts;
  /** Of its name in the step. */
  readonly at: number;
  readonly of: number;
}

export interface Parameters {
  readonly values: readonly TextParameter[];
  /** What is there comes back in this order. */
  readonly keys: readonly KeyPlace[];
}

/** @param rowOf how an event is kept */
export function parametersOf(
  { steps, lasts, moment, tooOld }: Batch,
  rowOf: (event: AuditEvent) => EventRow,
): Parameters {
  const [ids, keys, events]: [(string | null)[], KeyPlace[], (EventRow & Owned)[]] = [[], [], []];
  for (const step of steps) {
    const of = ids.push(step.id);
    for (let at = 0; at < step.names.length; at += 1) keys.push({ step, at, of });
    for (const event of step.events) events.push({ of, ...rowOf(event) });
  }
  // All lock their keys in one order: no two wait for each other.
  keys.sort((one, other) => (lockOf(one) < lockOf(other) ? -1 : 1));
  const told = events.length === 0 ? null : JSON.stringify(events);
  const uuids = `{${ids.map((id) => id ?? 'NULL').join(',')}}`;
  const [time, old] = [textOf(moment), textOf(tooOld)];
  return { values: [uuids, String(lasts), time, JSON.stringify(keys.map(keyRow)), told, old], keys };
}

const textOf = (number: number | null): TextParameter => (number === null ? null : String(number));

const lockOf = ({ step, at }: KeyPlace): string => step.ids[at] ?? '';

interface Owned {
  /** Which step of the batch it is of. The first is number 1. */
  readonly of: number;
}

/** What is left out is null there. Bytes are hexadecimal. */
interface KeyRow extends Owned {
  readonly family: string;
  readonly subject: string;
  readonly lasting: boolean;
  readonly matters: boolean;
  readonly thought: string | undefined;
  readonly change: string | undefined;
  readonly value: string | undefined;
  readonly life: number | 'Infinity' | undefined;
}

function keyRow({ step: { names, expected, changes }, at, of }: KeyPlace): KeyRow {
  const { key, lasting } = names[at] ?? noName;
  const { family, subject } = partsOf(key);
  const change = changes[at];
  const put = change === 'remove' ? undefined : change;
  return {
    ...{ of, family, subject, lasting, matters: expected !== undefined },
    thought: expected?.[at]?.toString('hex'),
    change: change === 'remove' ? change : put?.how,
    value: put && bufferOf(put.value).toString('hex'),
    life: put && (put.seconds === Number.POSITIVE_INFINITY ? 'Infinity' : put.seconds),
  };
}

const noName: Name = { key: '', lasting: false };
