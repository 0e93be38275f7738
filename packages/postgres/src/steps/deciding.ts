/** A step of this node, from when it is asked for until it is made or cannot be. */
import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@watchword/core/ports';
import type { Database } from '../connection/database.ts';
import { Fault, notDone, told } from '../connection/faults.ts';
import { type Deadline, pause } from '../connection/patience.ts';
import type { Statement } from '../connection/text-query.ts';
import type { Batches, SentStep } from './batches.ts';
import { bufferOf, type Change, type ChangeAt, type Decision, type Found } from './changes.ts';
import type { Guesses } from './guesses.ts';
import { idOf, type Name } from './names.ts';
import type { KeyTurn, KeyTurns } from './turns.ts';

/** Parts that all steps of a node share. */
export interface StepGround {
  readonly database: Database;
  readonly guesses: Guesses;
  readonly turns: KeyTurns;
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
  /** Whatever is there: nothing is compared. */
  readonly isBlind?: boolean;
}

/** Who waits for it. */
export interface Asker<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

export class Deciding<T> implements SentStep {
  readonly #ground: StepGround;
  readonly #wanted: Wanted<T>;
  readonly #asker: Asker<T>;
  readonly deadline: Deadline;
  readonly #impatience: NodeJS.Timeout;
  readonly #turn: KeyTurn;
  #decision: Decision<T> | undefined;
  readonly ids: readonly string[];
  id: string | null = null;
  lasts = false;
  expected: readonly (Buffer | undefined)[] | undefined;
  changes: (Change | undefined)[] = [];
  events: readonly AuditEvent[] = noEvents;

  constructor(ground: StepGround, wanted: Wanted<T>, asker: Asker<T>) {
    this.#ground = ground;
    this.#wanted = wanted;
    this.#asker = asker;
    this.deadline = ground.database.deadline();
    this.#impatience = ground.database.whenOver(this.deadline, (error) => {
      this.deadline.ended();
      asker.reject(error);
    });
    this.ids = wanted.names.map(idOf);
    const mine = this.ids.filter((_, at) => !wanted.names[at]?.isOnlyLookedAt);
    this.#turn = ground.turns.enter(mine, () => this.#decide());
  }

  get names(): readonly Name[] {
    return this.#wanted.names;
  }

  get isOver(): boolean {
    return this.deadline.isOver;
  }

  begin(): void {
    this.#turn.begin();
  }

  /** By what this node thinks is there; the database compares. */
  #decide(): void {
    const { names, decide, isBlind } = this.#wanted;
    if (this.isOver) {
      this.#refuse(notDone('it waited for too long'));
      return;
    }
    const found = this.ids.map((id) => this.#ground.guesses.at(id));
    try {
      this.#decision = decide((at) => found[at]);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    const { changes = noChanges, events = noEvents } = this.#decision;
    if (names.length === 0 && events.length === 0) {
      this.#ended(this.#decision.result);
      return;
    }
    this.expected = isBlind ? undefined : found;
    this.events = events;
    this.changes = new Array(names.length);
    this.lasts = events.length > 0;
    for (const [at, change] of changes) {
      this.changes[at] = change;
      this.lasts ||= names[at]?.lasting === true;
    }
    this.id = this.lasts || changes.length > 0 ? newId() : null;
    this.#ground.batchesOf(this.lasts).send(this);
  }

  answered(there: readonly (Buffer | undefined)[] | undefined): void {
    const { guesses } = this.#ground;
    if (!there) this.#made();
    else {
      for (const [at, id] of this.ids.entries()) guesses.note(id, there[at]);
      this.#decide();
    }
  }

  #made(): void {
    for (const [at, id] of this.ids.entries()) {
      const change = this.changes[at];
      if (change) this.#ground.guesses.note(id, change === 'remove' ? undefined : bufferOf(change.value));
    }
    if (this.id !== null) this.#ground.written();
    if (this.#decision) this.#ended(this.#decision.result);
  }

  failed(error: unknown): void {
    if (error instanceof Fault && error.fate === 'unknown') this.#ask(error);
    else this.#tryAgain(error);
  }

  /** Whoever loses the answer to a step asks what became of it: it is made at most once. */
  #ask(fault: Fault): void {
    const again = () => this.#tryAgain(new Fault('not_done', { isPassing: true, cause: fault }));
    if (this.id === null) again();
    else
      this.#ground.database.ask(wasMade, [this.id, this.lasts], this.deadline).then(
        ([row]) => (row?.made ? this.#made() : again()),
        (error: unknown) => this.#refuse(error),
      );
  }

  #tryAgain(error: unknown): void {
    const isWorthIt = error instanceof Fault && error.fate === 'not_done' && error.isPassing;
    if (isWorthIt && !this.isOver) setTimeout(() => this.#decide(), pause);
    else this.#refuse(error);
  }

  #refuse(error: unknown): void {
    this.#asker.reject(told(error));
    this.#leave();
  }

  #ended(result: T): void {
    this.#asker.resolve(result);
    this.#leave();
  }

  #leave(): void {
    clearTimeout(this.#impatience);
    this.deadline.ended();
    this.#ground.turns.leave(this.#turn);
  }
}

const noEvents: readonly AuditEvent[] = [];
const noChanges: readonly ChangeAt[] = [];

/** Ids that are made one after the other stand side by side: RFC 9562 §5.7 (UUIDv7) by the clock of this machine. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Node keeps random bytes for these: to ask for some takes ten times as long. Behind the version they are of one form.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
