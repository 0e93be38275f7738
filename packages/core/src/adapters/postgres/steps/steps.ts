/**
 * The one way in which values are changed. What becomes of them is decided here, by what this node thinks is there; the
 * database compares, and does all of it or nothing (`watchword.step`); then it is decided again. So a step is one round trip
 * as a rule, one transaction always, and nobody holds a lock while the network is waited for.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../ports/clock.ts';
import type { AuditEvent } from '../../../ports/records.ts';
import { again, type Database, type Deadline, type Statement } from '../connection/database.ts';
import { Fault } from '../connection/faults.ts';
import { Checkpoints, type Signer } from './checkpoints.ts';
import { EventRows } from './event-rows.ts';
import { Guesses } from './guesses.ts';
import { idOf, type Name, partsOf } from './names.ts';
import { Sweeper } from './sweeper.ts';
import { KeyTurns } from './turns.ts';

/** What becomes of a value. A new one lives for `seconds`; how it is with one that is there already: */
export type Change = 'remove' | PutChange;

export interface PutChange {
  /** `set`: as a new one; `keep`: its end stays; `least`: the earlier end; `claim`: it stays if it is hardly later. */
  readonly how: 'set' | 'keep' | 'least' | 'claim';
  readonly value: Uint8Array;
  readonly seconds: number;
}

/** What never ends by itself. */
export const forGood = (value: Uint8Array): PutChange => ({
  how: 'set',
  value,
  seconds: Number.POSITIVE_INFINITY,
});

export interface Decision<T> {
  readonly result: T;
  /** By {@link idOf}; of keys that were named only. */
  readonly changes?: ReadonlyMap<string, Change>;
  /** Added in this order, see `EventLog.append`. */
  readonly events?: readonly AuditEvent[];
}

/** What is there, by {@link idOf}. */
export type Found = (id: string) => Buffer | undefined;

interface Answer {
  readonly made: boolean;
  readonly there: readonly (Buffer | null)[] | null;
  /** Of the events, if it was looked at. */
  readonly oldest: number | null;
  /** The chain that is to be signed. */
  readonly due: string | null;
}

const stepStatement: Statement<Answer> = {
  name: 'step',
  text: `SELECT made, there, oldest, due FROM watchword.step(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
};
const wasMade: Statement<{ made: boolean }> = {
  name: 'was-made',
  text: 'SELECT watchword.was_made($1, $2) AS made',
};
const valueAt: Statement<{ value: Buffer }> = {
  name: 'value',
  text: `SELECT value FROM watchword.kept
    WHERE subject = $1 AND family = $2 AND lasting = $3 AND ends > watchword.clock($4)`,
};

export interface StepsOptions {
  /** Of tests; left out: the database's, which is one for all nodes. */
  readonly clock?: Clock;
  /** Events older than this many days are removed; 0 or left out: none. */
  readonly eventDays?: number;
  /** What checkpoints of the event log are signed with; left out: there are none, and nothing can be exported. */
  readonly signer?: Signer;
}

export class Steps {
  readonly #database: Database;
  readonly #clock: Clock | undefined;
  readonly #guesses = new Guesses();
  readonly #turns = new KeyTurns();
  readonly #eventRows: EventRows;
  readonly #sweeper: Sweeper;
  readonly checkpoints: Checkpoints | undefined;

  constructor(database: Database, { clock, eventDays = 0, signer }: StepsOptions = {}) {
    this.#database = database;
    this.#clock = clock;
    this.#eventRows = new EventRows(eventDays);
    this.#sweeper = new Sweeper(database);
    this.checkpoints = signer && new Checkpoints(database, signer);
  }

  /** Milliseconds since 1970; null: as the database's clock says. */
  get moment(): number | null {
    return this.#clock?.now() ?? null;
  }

  get database(): Database {
    return this.#database;
  }

  /** What the database has at this moment. */
  async read(name: Name): Promise<Buffer | undefined> {
    const { family, subject } = partsOf(name.key);
    const [row] = await this.#database.read(valueAt, [subject, family, name.lasting, this.moment]);
    this.#guesses.note(idOf(name), row?.value);
    return row?.value;
  }

  /**
   * Changes values by what is there at this moment, durably where they last.
   * @param decide pure; it may be called more than once
   * @throws what `decide` throws; ServiceError `unavailable`: nothing was done, or nobody can tell
   */
  change<T>(names: readonly Name[], decide: (found: Found) => Decision<T>): Promise<T> {
    const ids = names.map(idOf);
    return this.#database.inTime((deadline) =>
      this.#turns.run(ids, () =>
        again(deadline, () => this.#decideUntilRight({ names, ids, decide, deadline }), isNotDone),
      ),
    );
  }

  /** Changes values whatever is there. */
  async overwrite(name: Name, change: Change): Promise<void> {
    const id = idOf(name);
    const changes = new Map([[id, change]]);
    await this.#database.inTime((deadline) =>
      this.#turns.run([id], () =>
        again(
          deadline,
          () => this.#make({ names: [name], ids: [id], changes, events: [], deadline }),
          isNotDone,
        ),
      ),
    );
  }

  async #decideUntilRight<T>({ names, ids, decide, deadline }: Deciding<T>): Promise<T> {
    for (;;) {
      const expected = new Map(ids.map((id) => [id, this.#guesses.at(id)]));
      const { result, changes = nothing, events = [] } = decide((id) => expected.get(id));
      const { made, there } = await this.#make({ names, ids, expected, changes, events, deadline });
      if (made) return result;
      for (const [index, id] of ids.entries()) this.#guesses.note(id, there?.[index] ?? undefined);
      if (deadline.isOver) throw new Fault('not_done', { cause: new Error('others were always quicker') });
    }
  }

  async #make(step: Step): Promise<Answer> {
    const { names, ids, changes, events, deadline } = step;
    if (names.length === 0 && events.length === 0) return justMade;
    if (deadline.isOver) throw new Fault('not_done', { cause: new Error('it waited for too long') });
    const lasts = events.length > 0 || names.some(({ lasting }, at) => lasting && changes.has(ids[at] ?? ''));
    const values = [this.moment, ...new Columns(step).all, ...this.#eventRows.columnsOf(events)];
    const id = lasts || changes.size > 0 ? newId() : null;
    const answer = await this.#send({ id, lasts }, values, deadline);
    if (answer.made) {
      for (const [one, change] of changes) this.#guesses.note(one, valueOf(change));
      this.#eventRows.note(answer.oldest);
      if (answer.due !== null) this.checkpoints?.due(answer.due, Math.max(...events.map(({ time }) => time)));
      if (id !== null) this.#sweeper.written(this.moment);
    }
    return answer;
  }

  /** Whoever loses the answer to a step asks what became of it: it is made at most once. */
  async #send({ id, lasts }: StepId, values: readonly unknown[], deadline: Deadline): Promise<Answer> {
    try {
      const [answer] = await this.#database.send(stepStatement, [id, lasts, ...values]);
      return answer ?? justMade;
    } catch (error) {
      if (!(error instanceof Fault) || error.fate !== 'unknown') throw error;
      if (id !== null) {
        const [found] = await this.#database.ask(wasMade, [id, lasts], deadline);
        if (found?.made) return justMade;
      }
      throw new Fault('not_done', { isPassing: true, cause: error });
    }
  }
}

interface StepId {
  /** Null: it changes nothing. */
  readonly id: string | null;
  readonly lasts: boolean;
}

interface Deciding<T> {
  readonly names: readonly Name[];
  readonly ids: readonly string[];
  readonly decide: (found: Found) => Decision<T>;
  readonly deadline: Deadline;
}

interface Step {
  readonly names: readonly Name[];
  /** Of these, by {@link idOf}. */
  readonly ids: readonly string[];
  /** Left out: whatever is there. */
  readonly expected?: ReadonlyMap<string, Buffer | undefined>;
  readonly changes: ReadonlyMap<string, Change>;
  readonly events: readonly AuditEvent[];
  readonly deadline: Deadline;
}

const justMade: Answer = { made: true, there: null, oldest: null, due: null };

const nothing: ReadonlyMap<string, Change> = new Map();

const isNotDone = ({ fate, isPassing }: Fault): boolean => fate === 'not_done' && isPassing;

const valueOf = (change: Change): Buffer | undefined =>
  change === 'remove' ? undefined : Buffer.from(change.value);

/** In the order of `watchword.step`. */
class Columns {
  readonly families: string[] = [];
  readonly subjects: string[] = [];
  readonly lasting: boolean[] = [];
  readonly there: (Buffer | null)[] = [];
  readonly isCompared: boolean[] = [];
  readonly how: ('remove' | PutChange['how'] | null)[] = [];
  readonly values: (Buffer | null)[] = [];
  readonly seconds: (number | null)[] = [];

  constructor({ names, ids, expected, changes }: Step) {
    for (const [at, { key, lasting }] of names.entries()) {
      const id = ids[at] ?? '';
      const { family, subject } = partsOf(key);
      const change = changes.get(id);
      const put = change === 'remove' ? undefined : change;
      this.families.push(family);
      this.subjects.push(subject);
      this.lasting.push(lasting);
      this.there.push(expected?.get(id) ?? null);
      this.isCompared.push(expected !== undefined);
      this.how.push(change === 'remove' ? change : (put?.how ?? null));
      this.values.push(put ? Buffer.from(put.value) : null);
      this.seconds.push(put?.seconds ?? null);
    }
  }

  get all(): readonly (readonly unknown[])[] {
    const { families, subjects, lasting, there, isCompared, how, values, seconds } = this;
    return [families, subjects, lasting, there, isCompared, how, values, seconds];
  }
}

/** Ids that are made one after the other stand side by side: RFC 9562 §5.7 (UUIDv7) by the clock of this machine. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Node keeps random bytes for these: to ask for some takes ten times as long. Behind the version they are of one form.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
