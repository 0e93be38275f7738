/**
 * Batches of steps. Steps of one tick, or asked for during a batch, share a round trip and a transaction, as a statement costs more than its
 * steps. Each step succeeds or fails on its own.
 */
import { inTickBatchUnlessAlone } from '@watchword/core/foundation';
import type { Database } from '../connection/database.ts';
import { Fault, notDone } from '../connection/faults.ts';
import { type Deadline, latest } from '../connection/patience.ts';
import type { Statement } from '../connection/text-query.ts';
import type { Checkpoints } from './checkpoints.ts';
import { type EventAge, rowOf } from './event-rows.ts';
import { type Parameters, parametersOf, type StepParts } from './parameters.ts';
import type { Probe } from './probe.ts';

export interface SentStep extends StepParts {
  /** @param there current values by the index of their names; undefined: the step was made */
  answered(there: readonly (Buffer | undefined)[] | undefined): void;
  failed(error: unknown): void;
  readonly deadline: Deadline;
  readonly isOver: boolean;
}

/** The answer of `watchword.steps_together`. Left out or null: there is none. */
interface Answer {
  /** Numbers of the steps that were not made, as values differ from those expected. The first step is number 1. */
  readonly wrong?: readonly number[] | null;
  /** Current values of all keys in hexadecimal, if a step was not made. */
  readonly there?: readonly (string | null)[] | null;
  /** The time of the oldest event, if it was checked. */
  readonly oldest?: number | null;
  /** A chain that needs a checkpoint. */
  readonly due?: string | null;
}

const statement: Statement<object> = {
  name: 'steps',
  text: 'SELECT watchword.steps_together($1, $2, $3, $4, $5, $6)',
};
const allMade: Answer = {};

/** Most steps of a batch. */
const most = 64;
/** Most keys of a batch of several steps: each is locked until the commit, and the database has room for some thousands of locks. */
const mostKeys = 100;
/** The longest wait in milliseconds for batches under way, which may be blocked. */
const longestWait = 20;

export interface BatchContext {
  readonly database: Database;
  readonly age: EventAge;
  readonly checkpoints: Checkpoints | undefined;
  readonly probe: Pick<Probe, 'record'>;
  /** Milliseconds since 1970; null: the clock of the database. */
  moment(): number | null;
}

/** The batches of durable steps, or those of ephemeral ones, which wait for no disk. */
export class Batches {
  readonly #context: BatchContext;
  readonly #lasts: boolean;
  #pending: SentStep[] = [];
  /** Keys of the pending steps. */
  #keys = 0;
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: BatchContext, lasts: boolean) {
    this.#context = context;
    this.#lasts = lasts;
  }

  /** Adds a step to the next batch. Key queues ensure that no two steps of a batch share a key that one of them changes. */
  send(step: SentStep): void {
    if (this.#pending.length >= most || this.#keys + step.names.length > mostKeys) this.#sendPending();
    this.#pending.push(step);
    this.#keys += step.names.length;
    if (this.#pending.length > 1) return;
    if (this.#underWay === 0) inTickBatchUnlessAlone(() => this.#sendPending());
    else this.#timer = setTimeout(() => this.#sendPending(), longestWait);
  }

  #sendPending(): void {
    clearTimeout(this.#timer);
    const steps = this.#pending;
    this.#pending = [];
    this.#keys = 0;
    const batch = withoutOverdue(steps);
    if (batch.length === 0) return;
    this.#underWay += 1;
    void this.#sendBatch(batch).then(() => {
      this.#underWay -= 1;
      this.#sendPending();
    });
  }

  async #sendBatch(steps: readonly SentStep[]): Promise<void> {
    const { database, age, moment, probe } = this.#context;
    let batch = steps;
    let sent: Parameters | undefined;
    /** Called when there is a connection: steps that are overdue by then are not sent. */
    const parameters = (): Parameters['values'] => {
      batch = withoutOverdue(steps);
      if (batch.length === 0) throw notDone(waitedTooLong);
      const time = latestOf(batch);
      const tooOld = time === undefined ? null : age.tooOld(time);
      sent = parametersOf({ steps: batch, lasts: this.#lasts, moment: moment(), tooOld }, rowOf);
      return sent.values;
    };
    let answer: Answer;
    try {
      const until = latest(steps.map(({ deadline }) => deadline));
      const text = await database.sendText(statement, parameters, until);
      answer = text === null ? allMade : JSON.parse(text);
      probe.record();
    } catch (error) {
      probe.record(error);
      await this.#fail(batch, error);
      return;
    }
    age.note(answer.oldest ?? null);
    if (typeof answer.due === 'string') this.#context.checkpoints?.due(answer.due, latestOf(batch) ?? 0);
    if (sent) settle(batch, sent, answer);
  }

  /** Sends the steps again one by one if the error is of a single step: invalid input, or a timeout. */
  async #fail(batch: readonly SentStep[], error: unknown): Promise<void> {
    const isOfOneStep = error instanceof Fault && error.isStatementError;
    const isAlone = batch.length === 1 || !isOfOneStep;
    const ended = batch.map((step) =>
      isAlone || step.isOver ? step.failed(error) : this.#sendBatch([step]),
    );
    await Promise.all(ended);
  }
}

const waitedTooLong = 'it waited for too long';

/** Fails the steps that are over, and returns the others. */
function withoutOverdue(steps: readonly SentStep[]): readonly SentStep[] {
  return steps.filter((step) => {
    if (!step.isOver) return true;
    step.failed(notDone(waitedTooLong));
    return false;
  });
}

/** Returns the time of the last event. */
function latestOf(batch: readonly SentStep[]): number | undefined {
  let latest: number | undefined;
  for (const { events } of batch)
    for (const { time } of events) latest = Math.max(time, latest ?? Number.NEGATIVE_INFINITY);
  return latest;
}

function settle(batch: readonly SentStep[], { keys }: Parameters, { wrong, there }: Answer): void {
  for (const [index, step] of batch.entries()) {
    if (wrong?.includes(index + 1)) step.answered(thereOf(step, keys, there ?? []));
    else step.answered(undefined);
  }
}

function thereOf(step: SentStep, keys: Parameters['keys'], there: readonly (string | null)[]) {
  const found: (Buffer | undefined)[] = new Array(step.names.length);
  for (const [index, key] of keys.entries())
    if (key.step === step) found[key.at] = bytesOf(there[index] ?? null);
  return found;
}

const bytesOf = (hex: string | null): Buffer | undefined =>
  hex === null ? undefined : Buffer.from(hex, 'hex');
