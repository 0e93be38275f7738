/**
 * The limits of attempts: lockout, daily quota, rate limit, combined proof, authenticator cap, directory budget, block, user lock (docs/concepts/limits.md).
 * Code that judges passwords or codes asks for admission first, and commits the outcome here.
 */
import { WaitQueues } from '../foundation/locks/wait-queue.ts';
import type { Clock } from '../ports/clock.ts';
import type { Meter } from '../ports/meter.ts';
import { type Random, randomWord } from '../ports/random.ts';
import type { Ledger } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import { type AdmissionParts, admit, release } from './admission.ts';
import { longest, type Ruling } from './admission-rules.ts';
import { admissionRequest, rulingOf } from './admission-try.ts';
import { forgetWrongCodes, type WrongCodes, wrongCodes } from './authenticator-cap.ts';
import type { LimitEvent } from './limit-events.ts';
import type {
  Admitted,
  AttemptOutcome,
  CommittedAttempt,
  Family,
  LimitsAttempt,
  PossibleOutcomes,
  Refused,
  Reported,
} from './limits-attempt.ts';
import type { LockoutRules } from './lockout.ts';
import { outcomeStep, releaseOf } from './outcome-step.ts';
import type { DirectoryFailures } from './quotas.ts';
import type { Source, UserKey } from './source.ts';
import { UserLocks } from './user-lock.ts';
import { UserRecords, userRecordKey } from './user-records.ts';
import type { UserState } from './user-state.ts';
import { blocked, released, reset } from './user-state.ts';

export interface LimitsOptions {
  readonly store: Ledger;
  readonly ephemeral: Pick<Store, 'count'>;
  readonly clock: Clock;
  readonly random: Random;
  /** `directory_failures` */
  readonly directoryFailures?: DirectoryFailures | undefined;
  readonly meter?: Pick<Meter, 'count'> | undefined;
  /** `judge_refused` */
  readonly judgesRefused: boolean;
}

/** A source that is known to no user. */
const nowhere: Source = { id: '', words: '', buckets: [] };

const families: readonly Family[] = ['web', 'manager'];

/** Seconds and failures: a trusted caller without reported addresses that passes on more failures is an event. */
const watch = { seconds: 600, most: 100 };

export class Limits {
  readonly #options: LimitsOptions;
  readonly #users: UserRecords;
  readonly #admission: AdmissionParts;
  /** Attempts whose commit has failed, and that could only cost a token. */
  readonly #failed = new WeakSet<Admitted>();

  constructor(options: LimitsOptions) {
    this.#options = options;
    const { store: ledger, clock, random, directoryFailures, judgesRefused } = options;
    this.#users = new UserRecords(ledger, clock, directoryFailures);
    this.#admission = {
      ...{ ledger, terms: { directoryFailures, judgesRefused } },
      queues: new WaitQueues(clock),
      locks: new UserLocks(ledger, clock, randomWord(random, 12)),
      correct: async (attempt) => {
        await this.#users.change(attempt, (state) => ({ state }));
      },
    };
  }

  /** Attempts of this node that wait until others have been judged. */
  get waiting(): number {
    return this.#admission.queues.waiting;
  }

  /**
   * Admits an attempt past all limits, with its tokens and the user lock: to be committed or left.
   * @throws ServiceError `unavailable` if the ledger is down, or the client has disconnected
   */
  admit(attempt: LimitsAttempt): Promise<Admitted | Refused> {
    return admit(attempt, this.#admission);
  }

  /**
   * Commits the outcome of an attempt: claims, counters and events are one durable record, which releases the lock and the tokens. An outcome
   * without counts writes nothing, and the attempt stays admitted.
   * @throws ServiceError `unavailable`
   */
  async commit<U extends AttemptOutcome, R extends Reported>(
    admitted: Admitted,
    decision: PossibleOutcomes<U, R>,
  ): Promise<CommittedAttempt<U, R>> {
    // A token is not returned where the commit fails, and only a failure was possible.
    if (decision.possible.every(({ end }) => end === 'failed')) this.#failed.add(admitted);
    const { outcome, reports, happened, refusal } = await this.#options.store.commit(
      outcomeStep(admitted, decision),
    );
    if (outcome.result) this.#released(admitted);
    const unrecorded = outcome.result?.end === 'failed' ? await this.#watchFailures(admitted.attempt) : [];
    const all = unrecorded.length === 0 ? happened : [...happened, ...unrecorded];
    for (const { kind } of all) this.#options.meter?.count('limits', { kind });
    return { outcome, reports, happened: all, unrecorded, refusal };
  }

  /** Releases the lock and the tokens of an attempt, unless its commit did. Never rejects: both end with their time. */
  async leave(admitted: Admitted): Promise<void> {
    if (!this.#admission.locks.drop(admitted.lock)) return;
    const { ledger } = this.#admission;
    const end = this.#failed.has(admitted) ? 'failed' : 'neither';
    const releases = releaseOf(admitted, { end }).filter(
      (one) => one.kind === 'unlock' || one.change !== 'spend',
    );
    await release(releases, ledger).catch(() => undefined);
    this.#wake(admitted);
  }

  #released(admitted: Admitted): void {
    this.#admission.locks.drop(admitted.lock);
    this.#wake(admitted);
  }

  #wake({ lock, attempt }: Admitted): void {
    this.#admission.queues.wake(lock.key);
    this.#admission.queues.wake(attempt.source.id);
  }

  /** Reports the failure that is one too many of a caller that is never refused as a whole. */
  async #watchFailures({ source: { watched } }: LimitsAttempt): Promise<readonly LimitEvent[]> {
    if (watched === undefined) return [];
    const step = { by: 1, seconds: watch.seconds };
    const isOver = (await this.#options.ephemeral.count(`calm:${watched}`, step)) === watch.most + 1;
    return isOver ? [{ kind: 'caller_watched', caller: watched }] : [];
  }

  look(user: UserKey, family: Family): Promise<UserState> {
    return this.#users.read({ user, family });
  }

  /** Returns the refusal of a user that lasts longest, at known and unknown sources; undefined: none. */
  async refusal(user: UserKey, rules: LockoutRules): Promise<Refused | undefined> {
    const { known } = await this.look(user, 'web');
    const withoutPassword = { password: false, codes: [] };
    const asked = { family: 'web', user, rules, withoutPassword, combined: 'both' } as const;
    const sources = [nowhere, ...known.map(({ source }) => ({ ...nowhere, id: source }))];
    const { terms, ledger } = this.#admission;
    return ledger.admit({
      ...{ durable: [userRecordKey(asked)], ephemeral: [] },
      decide: (durable) => {
        const rulings = sources.map((source) =>
          rulingOf(
            admissionRequest({ ...asked, source }, { ...terms, holder: ledger.holder }),
            durable,
            false,
          ),
        );
        return { result: longest(rulings.flatMap(({ ruling }) => refusalsOf(ruling))) };
      },
    });
  }

  /** Blocks a user in every scope. @param seconds optional; default: without end */
  async block(user: UserKey, seconds: number | undefined): Promise<void> {
    const now = this.#options.clock.now();
    await this.#changeAll(user, (state) => blocked(state, seconds, now));
  }

  /**
   * Ends the block, the lockouts, the quotas and the caps of a user, at the web services and the Manager.
   * @param codes keys of the user's authenticators
   */
  async reset(user: UserKey, codes: readonly string[]): Promise<void> {
    await Promise.all([this.#changeAll(user, reset), ...codes.map((key) => this.forgetCodes(key))]);
  }

  /** Ends what {@link reset} ends, and the directory budget: the break-glass way. */
  async release(user: UserKey, codes: readonly string[]): Promise<void> {
    await Promise.all([this.#changeAll(user, released), ...codes.map((key) => this.forgetCodes(key))]);
  }

  /** Returns the wrong codes in a row of an authenticator. */
  wrongCodes(key: string): Promise<WrongCodes> {
    return wrongCodes(key, this.#options.store);
  }

  /** Ends the wrong codes in a row of an authenticator that an administrator has enabled. */
  forgetCodes(key: string): Promise<void> {
    return forgetWrongCodes(key, this.#options.store);
  }

  async #changeAll(user: UserKey, change: (state: UserState) => UserState): Promise<void> {
    await Promise.all(
      families.map((family) => this.#users.change({ user, family }, (state) => ({ state: change(state) }))),
    );
  }
}

/** Returns the refusals of a ruling, hidden ones too. */
function refusalsOf(ruling: Ruling): readonly Refused[] {
  if (ruling.kind === 'refused') return [ruling];
  const refusals = [ruling.hidden, ruling.kind === 'combined' ? ruling.refusal : undefined];
  return refusals.filter((one) => one !== undefined);
}
