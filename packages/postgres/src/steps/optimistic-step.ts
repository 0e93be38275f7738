/**
 * An optimistic transaction: a step is decided by cached values, the database compares them with its own, and if one differs the step is
 * decided again (docs/decisions/0023-optimistic-transactions-on-postgresql.md).
 */
import { randomUUID } from 'node:crypto';
import { type AuditEvent, versionIn, versionKey } from '@watchword/core/ports';
import type { Database } from '../connection/database.ts';
import { Fault, notDone, serviceErrorOf } from '../connection/faults.ts';
import { type Deadline, retryPause, type VersionCheck } from '../connection/patience.ts';
import type { Statement } from '../connection/text-query.ts';
import type { Batches, SentStep } from './batches.ts';
import { bufferOf, type Change, type ChangeAt, type Decision, type ValueReader } from './changes.ts';
import type { KeyQueues, QueuedStep } from './key-queues.ts';
import { idOf, type Name } from './names.ts';
import type { ReadCache } from './read-cache.ts';

/** Parts that all steps of a node share. */
export interface StepContext {
  readonly database: Database;
  readonly cache: ReadCache;
  readonly queues: KeyQueues;
  batchesOf(lasts: boolean): Pick<Batches, 'send'>;
  /** Called after each step that has changed a value or added an event. */
  written(): void;
}

const wasMade: Statement<{ made: boolean }> = {
  name: 'was-made',
  text: 'SELECT watchword.was_made($1, $2) AS made',
};

export interface StepRequest<T> {
  readonly names: readonly Name[];
  readonly decide: (found: ValueReader) => Decision<T>;
  /** The values are not compared. */
  readonly isUnconditional?: boolean;
}

/**
 * Makes a step exactly once. It fails at its deadline; its outcome may be unknown then.
 * @throws the error of `decide`; ServiceError `unavailable`
 */
export async function makeStep<T>(request: StepRequest<T>, context: StepContext): Promise<T> {
  const check = context.database.patience.versionCheck;
  if (!check) return makeOnce(request, context);
  const made = await makeOnce(comparingVersions(request, check), context);
  check.found(made.version);
  return made.outcome();
}

/** The result of a step that compares versions. */
interface Compared<T> {
  readonly version: string;
  /** The result of the step, which was made if the version was the expected one. */
  readonly outcome: () => T;
}

/** Adds the version of the run-time configuration to a step, which changes nothing under another version. */
function comparingVersions<T>(
  { names, decide }: StepRequest<T>,
  { version: expected }: VersionCheck,
): StepRequest<Compared<T>> {
  return {
    names: [...names, versionName],
    decide: (found) => {
      const version = versionIn(found(names.length));
      // A cached version may be an old one: what is read is compared by the database, as in every step.
      if (version !== expected) return { result: { version, outcome: neverMade } };
      const { result, ...changes } = decide(found);
      return { result: { version, outcome: () => result }, ...changes };
    },
  };
}

const versionName: Name = { key: versionKey, lasting: true, isReadOnly: true };

const neverMade = (): never => {
  throw new RangeError('the step was not made');
};

function makeOnce<T>(request: StepRequest<T>, context: StepContext): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = context.database.deadline();
    const timer = context.database.onTimeout(deadline, (error) => {
      deadline.ended();
      reject(error);
    });
    const step = new OptimisticStep(request, context, deadline);
    // The step leaves its queues when the database has answered, even after the deadline.
    step
      .make()
      .then(resolve, (error: unknown) => reject(serviceErrorOf(error)))
      .finally(() => clearTimeout(timer));
  });
}

class OptimisticStep<T> implements SentStep {
  readonly #context: StepContext;
  readonly #request: StepRequest<T>;
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

  constructor(request: StepRequest<T>, context: StepContext, deadline: Deadline) {
    this.#context = context;
    this.#request = request;
    this.deadline = deadline;
    this.ids = request.names.map(idOf);
    this.#queued = context.queues.enter(this.ids.filter((_, at) => !request.names[at]?.isReadOnly));
  }

  get names(): readonly Name[] {
    return this.#request.names;
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
          this.#cacheChanges();
          return decision.result;
        }
      }
    } finally {
      this.deadline.ended();
      this.#context.queues.leave(this.#queued);
    }
  }

  /** Decides by cached values. */
  #decide(): Decision<T> {
    const { names, decide, isUnconditional } = this.#request;
    const found = this.ids.map((id) => this.#context.cache.get(id));
    const decision = decide((at) => found[at]);
    const { changes = noChanges, events = noEvents } = decision;
    this.expected = isUnconditional ? undefined : found;
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

  /** @returns whether the step was made; if not, it is decided again @throws Fault if another try cannot help */
  async #send(): Promise<boolean> {
    try {
      const there = await this.#answer();
      if (!there) return true;
      for (const [at, id] of this.ids.entries()) this.#context.cache.set(id, there[at]);
      return false;
    } catch (error) {
      if (await this.#wasMade(error)) return true;
      await new Promise((resolve) => setTimeout(resolve, retryPause));
      return false;
    }
  }

  /** @returns the current values if one differs from those expected; undefined: the step was made */
  #answer(): Promise<readonly (Buffer | undefined)[] | undefined> {
    return new Promise((resolve, reject) => {
      this.answered = resolve;
      this.failed = reject;
      this.#context.batchesOf(this.lasts).send(this);
    });
  }

  /** Asks the database for the outcome of a step whose answer is lost. @throws the error if another try cannot help */
  async #wasMade(error: unknown): Promise<boolean> {
    if (!(error instanceof Fault)) throw error;
    if (error.fate === 'unknown' && this.id !== null) {
      const [row] = await this.#context.database.query(wasMade, [this.id, this.lasts], this.deadline);
      if (row?.made) return true;
    }
    const mayHelp = error.fate === 'unknown' || (error.fate === 'not_done' && error.isTransient);
    if (!mayHelp || this.isOver) throw error;
    return false;
  }

  #cacheChanges(): void {
    for (const [at, id] of this.ids.entries()) {
      const change = this.changes[at];
      if (change) this.#context.cache.set(id, change === 'remove' ? undefined : bufferOf(change.value));
    }
    if (this.id !== null) this.#context.written();
  }
}

const noEvents: readonly AuditEvent[] = [];
const noChanges: readonly ChangeAt[] = [];

/** Creates a UUIDv7 (RFC 9562 §5.7) by the clock of this machine, so that successive ids are adjacent in the index. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // randomUUID uses cached random bytes, and its digits after the version have the same form.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
