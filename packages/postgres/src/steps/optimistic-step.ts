/**
 * An optimistic transaction: a step is decided by what this node has seen last, the database compares that with what is there, and where it
 * differs the step is decided again.
 */
import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@watchword/core/ports';
import type { Database } from '../connection/database.ts';
import { Fault, notDone, told } from '../connection/faults.ts';
import { type Deadline, pause } from '../connection/patience.ts';
import type { Statement } from '../connection/text-query.ts';
import type { Batches, SentStep } from './batches.ts';
import { bufferOf, type Change, type ChangeAt, type Decision, type Found } from './changes.ts';
import type { Guesses } from './guesses.ts';
import type { KeyQueues, QueuedStep } from './key-queues.ts';
import { idOf, type Name } from './names.ts';

/** Parts that all steps of a node share. */
export interface StepContext {
  readonly database: Database;
  readonly guesses: Guesses;
  readonly queues: KeyQueues;
  batchesOf(lasts: boolean): Pick<Batches, 'send'>;
  /** A step has changed something. */
  written(): void;
}

const wasMade: Statement<{ made: boolean }> = {
  name: 'was-made',
  text: 'SELECT watchword.was_made($1, $2) AS made',
};

export interface Wanted<T> {
  readonly names: readonly Name[];
  readonly decide: (found: Found) => Decision<T>;
  /** Nothing is compared. */
  readonly isBlind?: boolean;
}

/**
 * Makes a step once. A step whose time is over fails at that moment; its outcome may be unknown then.
 * @throws what `decide` throws; ServiceError `unavailable`
 */
export function makeStep<T>(wanted: Wanted<T>, context: StepContext): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = context.database.deadline();
    const timer = context.database.whenOver(deadline, (error) => {
      deadline.ended();
      reject(error);
    });
    const step = new OptimisticStep(wanted, context, deadline);
    // Its turn is left when the database has answered, also after the deadline.
    step
      .make()
      .then(resolve, (error: unknown) => reject(told(error)))
      .finally(() => clearTimeout(timer));
  });
}

class OptimisticStep<T> implements SentStep {
  readonly #context: StepContext;
  readonly #wanted: Wanted<T>;
  readonly deadline: Deadline;
  readonly ids: readonly string[];
  readonly #queued: QueuedStep;
  id: string | null = null;
  lasts = false;
  expected: readonly (Buffer | undefined)[] | undefined;
  changes: (Change | undefined)[] = [];
  events: readonly AuditEvent[] = noEvents;
  answered: SentStep['answered'] = () => undefined;
  failed: SentStep['failed'] = () => undefined;

  constructor(wanted: Wanted<T>, context: StepContext, deadline: Deadline) {
    this.#context = context;
    this.#wanted = wanted;
    this.deadline = deadline;
    this.ids = wanted.names.map(idOf);
    this.#queued = context.queues.enter(this.ids.filter((_, at) => !wanted.names[at]?.isOnlyLookedAt));
  }

  get names(): readonly Name[] {
    return this.#wanted.names;
  }

  get isOver(): boolean {
    return this.deadline.isOver;
  }

  async make(): Promise<T> {
    const turn = this.#queued.turn();
    if (turn) await turn;
    try {
      for (;;) {
        if (this.isOver) throw notDone('it waited for too long');
        const decision = this.#decide();
        if (this.names.length === 0 && this.events.length === 0) return decision.result;
        if (await this.#send()) {
          this.#noteChanges();
          return decision.result;
        }
      }
    } finally {
      this.deadline.ended();
      this.#context.queues.leave(this.#queued);
    }
  }

  /** Decides by what this node has seen. */
  #decide(): Decision<T> {
    const { names, decide, isBlind } = this.#wanted;
    const found = this.ids.map((id) => this.#context.guesses.at(id));
    const decision = decide((at) => found[at]);
    const { changes = noChanges, events = noEvents } = decision;
    this.expected = isBlind ? undefined : found;
    this.events = events;
    this.changes = new Array(names.length);
    this.lasts = events.length > 0;
    for (const [at, change] of changes) {
      this.changes[at] = change;
      this.lasts ||= names[at]?.lasting === true;
    }
    this.id = this.lasts || changes.length > 0 ? newId() : null;
    return decision;
  }

  /** @returns whether the step was made; if not, it is to be decided again @throws where another try would be in vain */
  async #send(): Promise<boolean> {
    try {
      const there = await this.#answer();
      if (!there) return true;
      for (const [at, id] of this.ids.entries()) this.#context.guesses.note(id, there[at]);
      return false;
    } catch (error) {
      if (await this.#wasMade(error)) return true;
      await new Promise((resolve) => setTimeout(resolve, pause));
      return false;
    }
  }

  /** @returns the values where the database found others than expected; undefined: the step was made */
  #answer(): Promise<readonly (Buffer | undefined)[] | undefined> {
    return new Promise((resolve, reject) => {
      this.answered = resolve;
      this.failed = reject;
      this.#context.batchesOf(this.lasts).send(this);
    });
  }

  /** Asks the database what became of a step whose answer is lost. @throws the error where another try would be in vain */
  async #wasMade(error: unknown): Promise<boolean> {
    if (!(error instanceof Fault)) throw error;
    if (error.fate === 'unknown' && this.id !== null) {
      const [row] = await this.#context.database.ask(wasMade, [this.id, this.lasts], this.deadline);
      if (row?.made) return true;
    }
    const mayHelp = error.fate === 'unknown' || (error.fate === 'not_done' && error.isPassing);
    if (!mayHelp || this.isOver) throw error;
    return false;
  }

  #noteChanges(): void {
    for (const [at, id] of this.ids.entries()) {
      const change = this.changes[at];
      if (change) this.#context.guesses.note(id, change === 'remove' ? undefined : bufferOf(change.value));
    }
    if (this.id !== null) this.#context.written();
  }
}

const noEvents: readonly AuditEvent[] = [];
const noChanges: readonly ChangeAt[] = [];

/** Ids that are made one after the other lie side by side: RFC 9562 §5.7 (UUIDv7) by the clock of this machine. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Node keeps random bytes for these: to ask for some takes ten times as long. After the version they have one form.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
