/** What came of an attempt, written down: all of it together, before anybody is told. */
import type { Clock } from '../ports/clock.ts';
import type { Ledger, LedgerChanges, StateBefore, TimedValue } from '../ports/ledger.ts';
import type { Meter } from '../ports/meter.ts';
import type { Attempter, Decision, Judged, Refused, Reported, SettledAttempt, Upshot } from './attempter.ts';
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
import { strangers } from './kept/users-and-places.ts';
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

export class Conclusion {
  readonly #parts: ConclusionParts;

  constructor(parts: ConclusionParts) {
    this.#parts = parts;
  }

  /** One step in the ledger; then the place pays, which is only about the next seconds. */
  async draw<U extends Upshot, R extends Reported>(
    judging: Judging,
    decision: Decision<U, R>,
  ): Promise<SettledAttempt<U>> {
    const { ledger, users } = this.#parts;
    const { attempter, standing } = judging;
    const codes = new Set(decision.possible.flatMap(codesOf));
    const keys = [userRecordKey(attempter), ...[...codes].map(wrongCodesKey), ...decision.keys];
    const { terms } = users;
    const { upshot, reports, happened } = await ledger.settle(keys, (found) => {
      const upshot = decision.decide(found);
      const counted = upshot.counts ? count(upshot.counts, judging, found, terms) : nothing;
      const reports = upshot.counts ? decision.report(upshot, counted.happened) : [];
      return {
        result: { upshot, reports, happened: counted.happened },
        values: new Map([...counted.values, ...(upshot.values ?? [])]),
        claims: upshot.claims ?? [],
        events: reports.flatMap(({ event }) => (event ? [event] : [])),
      };
    });
    decision.tell(reports);
    const cost = await this.#costPlace(attempter, standing.ground, upshot.counts);
    const all = [...happened, ...cost.happened];
    for (const { kind } of all) this.#parts.meter?.count('limits', { kind });
    return {
      ...{ upshot, happened: all, late: cost.happened },
      refusal: standing.kind === 'together' ? standing.refusal : cost.refusal,
    };
  }

  /**
   * Rule 4. What was taken of a stranger's place before stays taken; of a known one it is taken now.
   * @returns the refusal of whoever else would have come from there
   */
  async #costPlace({ place, as }: Attempter, ground: string, judged: Judged | undefined): Promise<Cost> {
    if (judged?.end !== 'failed') return { happened: [] };
    const { places, clock } = this.#parts;
    const isEmpty = ground !== strangers && (await places.spend(place));
    const refusal = isEmpty && as === undefined ? placeRefusal(clock.now()) : undefined;
    const { calm } = place;
    const isOver = calm !== undefined && (await places.failedCalmly(calm));
    return { happened: isOver ? [{ kind: 'calm', caller: calm }] : [], refusal };
  }
}

/** What a failure has cost its place. */
interface Cost {
  readonly happened: readonly Happening[];
  readonly refusal?: Refused | undefined;
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
  const isChanged = JSON.stringify(outcome.state) !== JSON.stringify(state);
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
