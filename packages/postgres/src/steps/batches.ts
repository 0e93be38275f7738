/**
 * Steps that are asked for together, or while others are under way, are one round trip and one transaction: what a step costs here
 * and in the database is little beside what a statement costs. Each is made or not by itself.
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
  /** @param there by the places of the names; undefined: it was made */
  answered(there: readonly (Buffer | undefined)[] | undefined): void;
  failed(error: unknown): void;
  /** When nobody waits for it any more. */
  readonly deadline: Deadline;
  readonly isOver: boolean;
}

/** What is left out or null is not so, or there is nothing to tell of it. */
interface Answer {
  /** Which steps were not made, as something else is there than they expect. The first is number 1. */
  readonly wrong?: readonly number[] | null;
  /** If some were not made, what is there of all keys, hexadecimal. */
  readonly there?: readonly (string | null)[] | null;
  /** The time of the oldest event, if it was looked at. */
  readonly oldest?: number | null;
  /** The chain that is to be signed. */
  readonly due?: string | null;
}

const statement: Statement<object> = {
  name: 'steps',
  text: 'SELECT watchword.steps_together($1, $2, $3, $4, $5, $6)',
};
const allMade: Answer = {};

/** So many steps at most are one transaction, */
const most = 64;
/** and so many keys, or what the next step has: each is locked to its end, and the database has room for some thousands of locks. */
const mostKeys = 100;
/** Milliseconds for which one waits at most for those that are under way: they may be held up. */
const patience = 20;

export interface BatchGround {
  readonly database: Database;
  readonly age: EventAge;
  readonly checkpoints: Checkpoints | undefined;
  readonly probe: Pick<Probe, 'noted'>;
  /** Milliseconds since 1970; null: as the database's clock says. */
  moment(): number | null;
}

/** Of steps that wait for a disk, or of those that do not: these wait for none of those. */
export class Batches {
  readonly #ground: BatchGround;
  readonly #lasts: boolean;
  #gathered: SentStep[] = [];
  /** Of these. */
  #keys = 0;
  #underWay = 0;
  #waiting: NodeJS.Timeout | undefined;

  constructor(ground: BatchGround, lasts: boolean) {
    this.#ground = ground;
    this.#lasts = lasts;
  }

  /** No two steps of a batch have a key in common that one changes: who sends them has a turn for each. */
  send(step: SentStep): void {
    if (this.#gathered.length >= most || this.#keys + step.names.length > mostKeys) this.#sendGathered();
    this.#gathered.push(step);
    this.#keys += step.names.length;
    if (this.#gathered.length > 1) return;
    if (this.#underWay === 0) inTickBatchUnlessAlone(() => this.#sendGathered());
    else this.#waiting = setTimeout(() => this.#sendGathered(), patience);
  }

  #sendGathered(): void {
    clearTimeout(this.#waiting);
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#keys = 0;
    const batch = awaited(gathered);
    if (batch.length === 0) return;
    this.#underWay += 1;
    void this.#sendBatch(batch).then(() => {
      this.#underWay -= 1;
      this.#sendGathered();
    });
  }

  async #sendBatch(gathered: readonly SentStep[]): Promise<void> {
    const { database, age, moment, probe } = this.#ground;
    let batch = gathered;
    let sent: Parameters | undefined;
    /** Steps that somebody still waits for when there is a connection. */
    const parameters = (): Parameters['values'] => {
      batch = awaited(gathered);
      if (batch.length === 0) throw notDone(waitedTooLong);
      const time = latestOf(batch);
      const tooOld = time === undefined ? null : age.tooOld(time);
      sent = parametersOf({ steps: batch, lasts: this.#lasts, moment: moment(), tooOld }, rowOf);
      return sent.values;
    };
    let answer: Answer;
    try {
      const until = latest(gathered.map(({ deadline }) => deadline));
      const text = await database.sendText(statement, parameters, until);
      answer = text === null ? allMade : JSON.parse(text);
      probe.noted();
    } catch (error) {
      probe.noted(error);
      await this.#fail(batch, error);
      return;
    }
    age.note(answer.oldest ?? null);
    if (typeof answer.due === 'string') this.#ground.checkpoints?.due(answer.due, latestOf(batch) ?? 0);
    if (sent) tell(batch, sent, answer);
  }

  /** What the database cannot take, or somebody holds up, is one step's: the others go without it. */
  async #fail(batch: readonly SentStep[], error: unknown): Promise<void> {
    const isOfOne = error instanceof Fault && error.isOfStatement;
    const isAlone = batch.length === 1 || !isOfOne;
    const ended = batch.map((step) =>
      isAlone || step.isOver ? step.failed(error) : this.#sendBatch([step]),
    );
    await Promise.all(ended);
  }
}

const waitedTooLong = 'it waited for too long';

/** Fails the others. */
function awaited(steps: readonly SentStep[]): readonly SentStep[] {
  return steps.filter((step) => {
    if (!step.isOver) return true;
    step.failed(notDone(waitedTooLong));
    return false;
  });
}

/** The time of the last event. */
function latestOf(batch: readonly SentStep[]): number | undefined {
  let latest: number | undefined;
  for (const { events } of batch)
    for (const { time } of events) latest = Math.max(time, latest ?? Number.NEGATIVE_INFINITY);
  return latest;
}

function tell(batch: readonly SentStep[], { keys }: Parameters, { wrong, there }: Answer): void {
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
