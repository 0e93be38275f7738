/** Parameters of `watchword.steps_together` for a batch of steps. */
import type { AuditEvent } from '@watchword/core/ports';
import type { TextParameter } from '../connection/text-query.ts';
import { bufferOf, type Change } from './changes.ts';
import type { EventRow } from './event-rows.ts';
import { type idOf, type Name, partsOf } from './names.ts';

export interface StepParts {
  /** A UUID, by which the outcome can be asked for; null: the step changes nothing. */
  readonly id: string | null;
  readonly names: readonly Name[];
  /** Ids of the names, see {@link idOf}. */
  readonly ids: readonly string[];
  /** Expected values by the index of the name; undefined: any values. */
  readonly expected: readonly (Buffer | undefined)[] | undefined;
  /** Changes by the index of the name. */
  readonly changes: readonly (Change | undefined)[];
  readonly events: readonly AuditEvent[];
}

export interface Batch {
  readonly steps: readonly StepParts[];
  readonly lasts: boolean;
  /** Milliseconds since 1970; null: the clock of the database. */
  readonly moment: number | null;
  /** The age in days at which events are removed; null: none are. */
  readonly tooOld: number | null;
}

/** A key of a step in the batch. */
interface StepKey {
  readonly step: StepParts;
  /** The index of its name in the step. */
  readonly at: number;
  /** The number of the step in the batch, from 1. */
  readonly of: number;
}

export interface Parameters {
  readonly values: readonly TextParameter[];
  /** The order in which the database returns values. */
  readonly keys: readonly StepKey[];
}

/** @param rowOf converts an event to its row */
export function parametersOf(
  { steps, lasts, moment, tooOld }: Batch,
  rowOf: (event: AuditEvent) => EventRow,
): Parameters {
  const [ids, keys, events]: [(string | null)[], StepKey[], (EventRow & Owned)[]] = [[], [], []];
  for (const step of steps) {
    const of = ids.push(step.id);
    for (let at = 0; at < step.names.length; at += 1) keys.push({ step, at, of });
    for (const event of step.events) events.push({ of, ...rowOf(event) });
  }
  // All batches lock keys in one order, which prevents deadlocks.
  keys.sort((one, other) => (lockOf(one) < lockOf(other) ? -1 : 1));
  const eventRows = events.length === 0 ? null : JSON.stringify(events);
  const uuids = `{${ids.map((id) => id ?? 'NULL').join(',')}}`;
  const [time, old] = [textOf(moment), textOf(tooOld)];
  return { values: [uuids, String(lasts), time, JSON.stringify(keys.map(keyRow)), eventRows, old], keys };
}

const textOf = (number: number | null): TextParameter => (number === null ? null : String(number));

const lockOf = ({ step, at }: StepKey): string => step.ids[at] ?? '';

interface Owned {
  /** The number of the step in the batch, from 1. */
  readonly of: number;
}

/** A key as JSON: fields left out are null, and bytes are hexadecimal. */
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

function keyRow({ step: { names, expected, changes }, at, of }: StepKey): KeyRow {
  const { key, lasting } = names[at] ?? noName;
  const { family, subject } = partsOf(key);
  const change = changes[at];
  const put = change === 'remove' ? undefined : change;
  return {
    ...{ of, family, subject, lasting, matters: expected !== undefined },
    thought: expected?.[at]?.toString('hex'),
    change: change === 'remove' ? change : put?.mode,
    value: put && bufferOf(put.value).toString('hex'),
    life: put && (put.seconds === Number.POSITIVE_INFINITY ? 'Infinity' : put.seconds),
  };
}

const noName: Name = { key: '', lasting: false };
