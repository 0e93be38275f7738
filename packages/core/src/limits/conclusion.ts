/** What came of an attempt, written down: all of it together, before anybody is told. */
import type { Clock } from '../ports/clock.ts';
import type { AuditEvent } from '../ports/event-log/event-log.ts';
import type { Meter } from '../ports/meter.ts';
import type { Ledger, Settlement, StateBefore, ValueAfter, ValuesAfter } from '../ports/store/ledger.ts';
import type {
  Attempter,
  Decision,
  Judged,
  Reported,
  SettledAttempt,
  Upshot,
  WrongCode,
} from './attempter.ts';
import {
  isClosed,
  mostWrong,
  oneMoreWrong,
  type WrongCodes,
  wrongCodesKey,
  wrongCodesOf,
  wrongCodesRecord,
} from './authenticators.ts';
import type { Turn } from './entrance.ts';
import type { Happening } from './kept/events.ts';
import { recordOf, type StateTerms, stateNow } from './kept/state.ts';
import { placeRefusal } from './kept/together.ts';
import type { Users } from './kept/users.ts';
import { afterAttempt } from './outcome.ts';
import type { Places } from './places.ts';

interface ConclusionParts {
  readonly ledger: Pick<Ledger, 'settle'>;
  readonly clock: Clock;
  readonly meter: Pick<Meter, 'count'> | undefined;
  readonly users: Pick<Users, 'terms'>;
  readonly places: Places;
}

/** An attempt that was judged in its turn. */
interface Judging {
  readonly attempter: Attempter;
  readonly turn: Pick<Turn, 'standing' | 'record'>;
}

/** What an attempt leaves behind of its turn and its place. */
interface Leave {
  readonly keys: readonly string[];
  /** See {@link Leaving.held}. */
  readonly held: number;
  leave(found: StateBefore, judged: Judged): PlaceCost;
  /** Called when it has left. */
  hasLeft(): void;
}

/** Rule 4. What was taken of a stranger's place before stays taken; of a known one it is taken now. */
export interface PlaceCost {
  readonly values: readonly ValueAfter[];
  /** Whoever else would have come from there would have been refused. */
  readonly wasEmpty: boolean;
}

export class Conclusion {
  readonly #parts: ConclusionParts;

  constructor(parts: ConclusionParts) {
    this.#parts = parts;
  }

  /** One step in the ledger, with which it leaves. */
  async draw<U extends Upshot, R extends Reported>(
    judging: Judging,
    decision: Decision<U, R>,
    { keys: left, held, leave, hasLeft }: Leave,
  ): Promise<SettledAttempt<U>> {
    const { ledger, users, clock } = this.#parts;
    const { attempter, turn } = judging;
    const { standing } = turn;
    const keys = keysOf(turn.record, decision);
    const { terms } = users;
    const decide = (found: StateBefore): Settlement<Drawn<U, R>> => {
      const upshot = decision.decide(found);
      const counted = upshot.counts ? count(upshot.counts, judging, found, terms) : nothing;
      const reports = upshot.counts ? decision.report(upshot, counted.happened) : [];
      return {
        result: { upshot, reports, happened: counted.happened, wasEmpty: false },
        values: together(counted.values, upshot.values),
        claims: upshot.claims ?? [],
        events: eventsOf(reports),
      };
    };
    const { upshot, happened, wasEmpty } = await ledger.settle(keys, decide, {
      keys: left,
      held,
      change: (found, drawn) => {
        if (!drawn.upshot.counts) return { result: drawn };
        const { wasEmpty, values } = leave(found, drawn.upshot.counts);
        return { result: wasEmpty ? { ...drawn, wasEmpty } : drawn, values };
      },
      made: ({ reports }) => decision.tell(reports),
      isAwaited: ({ upshot }) => upshot.counts?.end === 'failed',
    });
    if (upshot.counts) hasLeft();
    const late = upshot.counts?.end === 'failed' ? await this.#failedCalmly(attempter) : noHappening;
    const all = late.length === 0 ? happened : [...happened, ...late];
    for (const { kind } of all) this.#parts.meter?.count('limits', { kind });
    const isRefused = wasEmpty && attempter.as === undefined;
    const refusal = isRefused ? placeRefusal(clock.now()) : undefined;
    return {
      upshot,
      happened: all,
      late,
      refusal: standing.kind === 'together' ? standing.refusal : refusal,
    };
  }

  async #failedCalmly({ place: { calm } }: Attempter): Promise<readonly Happening[]> {
    if (calm === undefined || !(await this.#parts.places.failedCalmly(calm))) return [];
    return [{ kind: 'calm', caller: calm }];
  }
}

/** Most of it is nothing: a login that succeeds at a known place counts nothing. */
const together = (counted: Count['values'], claimed: ValuesAfter = nothing.values): ValuesAfter =>
  counted.length === 0 ? claimed : [...counted, ...claimed];

/** What a settlement comes to. */
interface Drawn<U, R> extends Pick<Count, 'happened'>, Pick<PlaceCost, 'wasEmpty'> {
  readonly upshot: U;
  readonly reports: readonly R[];
}

/** What the limits write, and what has come of it beyond the attempt. */
interface Count {
  readonly values: readonly ValueAfter[];
  readonly happened: readonly Happening[];
}

const noHappening: readonly Happening[] = [];
const nothing: Count = { values: [], happened: noHappening };

/** All that is looked at, each once: of the user, of the codes whose row may grow or end, and of the decision. */
function keysOf(
  record: string,
  { possible, keys }: Pick<Decision<Upshot, Reported>, 'possible' | 'keys'>,
): readonly string[] {
  const all = [record];
  for (const judged of possible) {
    for (const { key } of judged.wrongCodes ?? noCodes) addOnce(wrongCodesKey(key), all);
    for (const key of usedCodes(judged)) addOnce(wrongCodesKey(key), all);
  }
  for (const key of keys) addOnce(key, all);
  return all;
}

/** Of a few. */
function addOnce(key: string, all: string[]): void {
  if (!all.includes(key)) all.push(key);
}

function eventsOf(reports: readonly Reported[]): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (const { event } of reports) if (event) events.push(event);
  return events;
}

/** Only what has changed is written: a login that succeeds at a known place changes nothing. */
function count(judged: Judged, { attempter, turn }: Judging, found: StateBefore, terms: StateTerms): Count {
  const { ground, kind } = turn.standing;
  const codes = codesAfter(countedCodes(judged, kind), found);
  const isCodeClosed = codes.some(({ after }) => isClosed(after));
  const { state } = stateNow(found.value(turn.record), terms);
  const { now } = terms;
  const outcome = afterAttempt(state, { attempter, judged, ground, kind, isCodeClosed, now });
  const values = forgetUsed(judged, found);
  for (const { code, after } of codes) values.push([wrongCodesKey(code.key), wrongCodesRecord(after)]);
  if (outcome.state !== state) values.push([turn.record, recordOf(outcome.state, terms)]);
  return { values, happened: [...outcome.happened, ...codes.flatMap(whatTurned)] };
}

function codesAfter(codes: readonly WrongCode[], found: StateBefore): readonly CountedCode[] {
  return codes.map((code) => {
    const before = wrongCodesOf(found.value(wrongCodesKey(code.key)));
    return { code, after: oneMoreWrong(before, code) };
  });
}

/** Rule 6: the row of each code that a full success used ends. @returns a list of the caller's own */
function forgetUsed(judged: Judged, found: StateBefore): ValueAfter[] {
  const values: ValueAfter[] = [];
  for (const code of usedCodes(judged)) {
    const key = wrongCodesKey(code);
    if (found.value(key) !== undefined) values.push([key, null]);
  }
  return values;
}

const usedCodes = ({ end, used }: Judged): readonly string[] =>
  end === 'granted' && used ? used.filter((key) => key !== 'password') : noCodes;

const noCodes: readonly never[] = [];

/** Under rule 5, what was wrong altogether counts for no authenticator. */
function countedCodes(
  { end, isHalfRight, wrongCodes: codes = noCodes }: Judged,
  kind: 'alone' | 'together',
): readonly WrongCode[] {
  return end === 'failed' && (kind === 'alone' || isHalfRight) ? codes : noCodes;
}

interface CountedCode {
  readonly code: WrongCode;
  readonly after: WrongCodes;
}

function whatTurned({ code: { key, behind }, after }: CountedCode): readonly Happening[] {
  if (behind && after.behind === mostWrong) return [{ kind: 'disabled', key }];
  return after.wrong === mostWrong ? [{ kind: 'closed', key }] : [];
}
