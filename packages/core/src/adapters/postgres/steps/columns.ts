/** The columns of `watchword.steps_together`, in its order: what a batch of steps expects, changes and tells. */

import type { AuditEvent } from '../../../ports/records.ts';
import { bufferOf, type Change, type PutChange } from './changes.ts';
import type { EventRows } from './event-rows.ts';
import { type Name, partsOf } from './names.ts';

export interface StepColumns {
  readonly names: readonly Name[];
  /** By the places of the names; undefined: whatever is there. */
  readonly expected: readonly (Buffer | undefined)[] | undefined;
  /** By the places of the names. */
  readonly changes: readonly (Change | undefined)[];
  readonly events: readonly AuditEvent[];
}

export class Columns {
  /** Which step of the batch: the first is number 1. */
  readonly owners: number[] = [];
  readonly families: string[] = [];
  readonly subjects: string[] = [];
  readonly lasting: boolean[] = [];
  readonly expected: (Buffer | null)[] = [];
  readonly isCompared: boolean[] = [];
  readonly how: ('remove' | PutChange['how'] | null)[] = [];
  readonly values: (Buffer | null)[] = [];
  readonly seconds: (number | null)[] = [];
  readonly eventOwners: number[] = [];
  readonly events: AuditEvent[] = [];

  constructor(batch: readonly StepColumns[]) {
    for (const [index, step] of batch.entries()) {
      const owner = index + 1;
      for (let at = 0; at < step.names.length; at += 1) this.#add(owner, step, at);
      for (const event of step.events) {
        this.eventOwners.push(owner);
        this.events.push(event);
      }
    }
  }

  #add(owner: number, { names, expected, changes }: StepColumns, at: number): void {
    const { key, lasting } = names[at] ?? noName;
    const { family, subject } = partsOf(key);
    const change = changes[at];
    this.owners.push(owner);
    this.families.push(family);
    this.subjects.push(subject);
    this.lasting.push(lasting);
    this.expected.push(expected?.[at] ?? null);
    this.isCompared.push(expected !== undefined);
    this.how.push(change === undefined || change === 'remove' ? (change ?? null) : change.how);
    this.values.push(change === undefined || change === 'remove' ? null : bufferOf(change.value));
    this.seconds.push(change === undefined || change === 'remove' ? null : change.seconds);
  }

  all(rows: EventRows): readonly unknown[] {
    const { owners, families, subjects, lasting, expected, isCompared, how, values, seconds } = this;
    const keys = [owners, families, subjects, lasting, expected, isCompared, how, values, seconds];
    return [...keys, this.eventOwners, ...rows.columnsOf(this.events)];
  }
}

const noName: Name = { key: '', lasting: false };
