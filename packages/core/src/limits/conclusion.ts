/** What came of an attempt, written down: all of it together, before anybody is told. */
import type { Clock } from '../ports/clock.ts';
import type { Ledger, LedgerChanges, Settlement, StateBefore, TimedValue } from '../ports/ledger.ts';
import type { Meter } from '../ports/meter.ts';
import type { Attempter, Decision, Judged, Reported, SettledAttempt, Upshot } from './attempter.ts';
import {
  isClosed,
  mostWrong,
  oneMoreWrong,
  type WrongCode,
  type WrongCodes,
  wrongCodesKey,
  wrongCodesOf,
  wrongCodesRecord,
} from './authenticators.ts';
import type { Turn } from './entrance.ts';
import type { Happening } from './kept/events.ts';
import { recordOf, type StateTerms, stateNow } from './kept/state.ts';
import { placeRefusal } from './kept/together.ts';
import { type Users, userRecordKey } from './kept/users.ts';
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
type Judging = { readonly attempter: Attempter } & Pick<Turn, 'standing'>;

/** What an attempt leaves behind of its turn and its place. */
interface Leave {
  readonly keys: readonly string[];
  leave(found: StateBefore, judged: Judged): PlaceCost;
  /** Called when it has left. */
  hasLeft(): void;
}

/** Rule 4. What was taken of a stranger's place before stays taken; of a known one it is taken now. */
export interface PlaceCost extends Required<Pick<LedgerChanges, 'values'>> {
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
    { keys: left, leave, hasLeft }: Leave,
  ): Promise<SettledAttempt<U>> {
    const { ledger, users, clock } = this.#parts;
    const { attempter, standing } = judging;
    const codes = new Set(decision.possible.flatMap(codesOf));
    const keys = [userRecordKey(attempter), ...[...codes].map(wrongCodesKey), ...decision.keys];
    const { terms } = users;
    const decide = (found: StateBefore): Settlement<Drawn<U, R>> => {
      const upshot = decision.decide(found);
      const counted = upshot.counts ? count(upshot.counts, judging, found, terms) : nothing;
      const reports = upshot.counts ? decision.report(upshot, counted.happened) : [];
      return {
        result: { upshot, reports, happened: counted.happened, wasEmpty: false },
        values: together(counted.values, upshot.values),
        claims: upshot.claims ?? [],
        events: reports.flatMap(({ event }) => (event ? [event] : [])),
      };
    };
    const { upshot, happened, wasEmpty } = await ledger.settle(keys, decide, {
      keys: left,
      change: (found, drawn) => {
        if (!drawn.upshot.counts) return { result: drawn };
        const { wasEmpty, values } = leave(found, drawn.upshot.counts);
        return { result: { ...drawn, wasEmpty }, values };
      },
      made: ({ reports }) => decision.tell(reports),
    });
    if (upshot.counts) hasLeft();
    const late = upshot.counts?.end === 'failed' ? await this.#failedCalmly(attempter) : [];
    const all = [...happened, ...late];
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
const together = (
  counted: Count['values'],
  claimed: LedgerChanges['values'] = nothing.values,
): Count['values'] => {
  if (counted.size === 0) return claimed;
  return claimed.size === 0 ? counted : new Map([...counted, ...claimed]);
};

/** What a settlement comes to. */
interface Drawn<U, R> extends Pick<Count, 'happened'>, Pick<PlaceCost, 'wasEmpty'> {
  readonly upshot: U;
  readonly reports: readonly R[];
}

/** What the limits write, and what has come of it beyond the attempt. */
interface Count extends Required<Pick<LedgerChanges, 'values'>> {
  readonly happened: readonly Happening[];
}

const nothing: Count = { values: new Map(), happened: [] };

/** Only what has changed is written: a login that succeeds at a known place changes nothing. */
function count(
  judged: Judged,
  { attempter, standing: { ground, kind } }: Judging,
  found: StateBefore,
  terms: StateTerms,
): Count {
  const codes = countedCodes(judged, kind).map((code) => {
    const before = wrongCodesOf(found.value(wrongCodesKey(code.key)));
    return { code, after: oneMoreWrong(before, code) };
  });
  const isCodeClosed = codes.some(({ after }) => isClosed(after));
  const key = userRecordKey(attempter);
  const { state } = stateNow(found.value(key), terms);
  const { now } = terms;
  const outcome = afterAttempt(state, { attempter, judged, ground, kind, isCodeClosed, now });
  const isChanged = outcome.state !== state && JSON.stringify(outcome.state) !== JSON.stringify(state);
  const values = new Map<string, TimedValue | null>([
    ...(isChanged ? [[key, recordOf(outcome.state, terms)] as const] : []),
    ...codes.map(({ code, after }) => [wrongCodesKey(code.key), wrongCodesRecord(after)] as const),
    ...forgotten(judged, found).map((of) => [of, null] as const),
  ]);
  return { values, happened: [...outcome.happened, ...codes.flatMap(whatTurned)] };
}

/** Rule 6: the row of each code that a full success used ends. */
const forgotten = (judged: Judged, found: StateBefore): readonly string[] =>
  usedCodes(judged)
    .map(wrongCodesKey)
    .filter((key) => found.value(key) !== undefined);

const usedCodes = ({ end, used = [] }: Judged): readonly string[] =>
  end === 'granted' ? used.filter((key) => key !== 'password') : [];

/** Those whose row may grow or end. */
const codesOf = (judged: Judged): readonly string[] => [
  ...(judged.wrongCodes ?? []).map(({ key }) => key),
  ...usedCodes(judged),
];

/** Under rule 5, what was wrong altogether counts for no authenticator. */
function countedCodes(
  { end, isHalfRight, wrongCodes: codes = [] }: Judged,
  kind: 'alone' | 'together',
): readonly WrongCode[] {
  return end === 'failed' && (kind === 'alone' || isHalfRight) ? codes : [];
}

interface CountedCode {
  readonly code: WrongCode;
  readonly after: WrongCodes;
}

function whatTurned({ code: { key, behind }, after }: CountedCode): readonly Happening[] {
  if (behind && after.behind === mostWrong) return [{ kind: 'disabled', key }];
  return after.wrong === mostWrong ? [{ kind: 'closed', key }] : [];
}
