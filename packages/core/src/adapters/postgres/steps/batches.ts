/**
 * Steps that are asked for together, or while others are under way, are one round trip and one transaction: what a step costs here
 * and in the database is little beside what a statement costs. Each is made or not by itself.
 */
import { inWaveUnlessAlone } from '../../../concurrency/wave.ts';
import type { Database, Statement } from '../connection/database.ts';
import { Fault } from '../connection/faults.ts';
import type { Checkpoints } from './checkpoints.ts';
import { Columns, type StepColumns } from './columns.ts';
import type { EventRows } from './event-rows.ts';

export interface SentStep extends StepColumns {
  /** A UUID, by which it is asked for later; null: it changes nothing. */
  readonly id: string | null;
  /** It is about more than the next seconds. */
  readonly lasts: boolean;
  /** @param there by the places of the names; undefined: it was made */
  answered(there: readonly (Buffer | null)[] | undefined): void;
  failed(error: unknown): void;
}

interface Answer {
  /** Which steps were not made, as something else is there than they expect; null: all were. The first is number 1. */
  readonly wrong: readonly number[] | null;
  /** If some were not made, what is there of all keys. */
  readonly there: readonly (Buffer | null)[] | null;
  /** Of the events, if it was looked at. */
  readonly oldest: number | null;
  /** The chain that is to be signed. */
  readonly due: string | null;
}

const statement: Statement<Answer> = {
  name: 'steps',
  text: `SELECT wrong, there, oldest, due FROM watchword.steps_together(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
};
const made: Answer = { wrong: null, there: null, oldest: null, due: null };

/** So many at most are one transaction: their keys are locked to its end. */
const most = 64;
/** Milliseconds for which one waits at most for those that are under way: they may be held up. */
const patience = 20;

export interface BatchGround {
  readonly database: Database;
  readonly rows: EventRows;
  readonly checkpoints: Checkpoints | undefined;
  /** Milliseconds since 1970; null: as the database's clock says. */
  moment(): number | null;
}

/** Of steps that wait for a disk, or of those that do not: these wait for none of those. */
export class Batches {
  readonly #ground: BatchGround;
  readonly #lasts: boolean;
  #gathered: SentStep[] = [];
  #underWay = 0;
  #waiting: NodeJS.Timeout | undefined;

  constructor(ground: BatchGround, lasts: boolean) {
    this.#ground = ground;
    this.#lasts = lasts;
  }

  /** No two steps of a batch have a key in common: who sends them has a turn for each key. */
  send(step: SentStep): void {
    this.#gathered.push(step);
    if (this.#gathered.length >= most) this.#sendGathered();
    else if (this.#gathered.length > 1) return;
    else if (this.#underWay === 0) inWaveUnlessAlone(() => this.#sendGathered());
    else this.#waiting = setTimeout(() => this.#sendGathered(), patience);
  }

  #sendGathered(): void {
    clearTimeout(this.#waiting);
    const batch = this.#gathered;
    if (batch.length === 0) return;
    this.#gathered = [];
    this.#underWay += 1;
    void this.#sendBatch(batch).then(() => {
      this.#underWay -= 1;
      this.#sendGathered();
    });
  }

  async #sendBatch(batch: readonly SentStep[]): Promise<void> {
    const { database, rows, moment } = this.#ground;
    const columns = new Columns(batch);
    const ids = batch.map(({ id }) => id);
    let answer: Answer;
    try {
      const values = [ids, this.#lasts, moment(), ...columns.all(rows)];
      answer = (await database.send(statement, values))[0] ?? made;
    } catch (error) {
      await this.#fail(batch, error);
      return;
    }
    this.#note(answer, columns);
    tell(batch, answer);
  }

  async #fail(batch: readonly SentStep[], error: unknown): Promise<void> {
    const isOfOne = error instanceof Fault && error.fate === 'never' && batch.length > 1;
    // What the database cannot take is one step's; the others go without it.
    if (isOfOne) for (const step of batch) await this.#sendBatch([step]);
    else for (const step of batch) step.failed(error);
  }

  #note({ oldest, due }: Answer, { events }: Columns): void {
    this.#ground.rows.note(oldest);
    if (due !== null) this.#ground.checkpoints?.due(due, Math.max(...events.map(({ time }) => time)));
  }
}

function tell(batch: readonly SentStep[], { wrong, there }: Answer): void {
  let from = 0;
  for (const [index, step] of batch.entries()) {
    const to = from + step.names.length;
    step.answered(wrong?.includes(index + 1) ? (there ?? []).slice(from, to) : undefined);
    from = to;
  }
}
