/**
 * Many who do at once what logins do: `checkHistory` reads what came of it. It is how a ledger that loses or doubles a step
 * is found out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isFree, type Ledger, type Settlement, type StateBefore } from '../../ports/store/ledger.ts';
import type { LedgerFixture } from './ledger-contract.ts';

/** Somebody who was let in: it claimed a number, or was too late. */
export interface Deed {
  readonly who: number;
  readonly value: number;
  readonly isGranted: boolean;
  /** Of all that happened in this run, which it was: after it had got the lease of its number, and before it gave that back. */
  readonly from: number;
  readonly to: number;
  readonly place: number;
}

/** What a place has: of so many, those that are taken. */
export interface PlaceLeft {
  readonly most: number;
  readonly taken: number;
}

const [attempts, numbers, places, most] = [120, 6, 2, 30];
const textOf = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();
const countOf = (value: Uint8Array | undefined): number => Number(textOf(value) ?? '0');
const kept = (value: number) => ({ value: Buffer.from(String(value)), seconds: 60 });

/** @returns what is wrong with what came of it */
export async function playMany(
  ledgers: readonly Ledger[],
  { events, momentary }: Pick<LedgerFixture, 'events' | 'momentary'>,
): Promise<readonly string[]> {
  let last = 0;
  const next = () => {
    last += 1;
    return last;
  };
  const steps = Array.from({ length: attempts }, async (_, who): Promise<readonly Deed[]> => {
    const ledger = ledgers[who % ledgers.length];
    const [value, place] = [who % numbers, Math.floor(who / numbers) % places];
    if (!ledger || (await enter(ledger, value, place)) === 'refused') return [];
    const from = next();
    await sleep(0);
    const to = next();
    return [{ who, value, place, from, to, isGranted: await settle(ledger, { who, value, place }) }];
  });
  const deeds = (await Promise.all(steps)).flat();
  const told = await events.list({ application: 'Many', max: 10_000 });
  const left = [];
  for (let place = 0; place < places; place += 1)
    left.push({ most, taken: countOf(await momentary.get(`many-place:${place}`)) });
  return checkHistory(deeds, { events: told.map((event) => event.text), places: left });
}

/** One of what the place has, and the lease of the number. */
async function enter(ledger: Ledger, value: number, place: number): Promise<'entered' | 'refused'> {
  const [lease, taken] = [`many-lease:${value}`, `many-place:${place}`];
  for (;;) {
    const entered = await ledger.enter({
      ...{ lasting: [], momentary: [taken, lease], held: 1 },
      decide: ({ momentary: found }) => {
        const before = countOf(found.value(taken));
        if (before >= most) return { result: 'refused' as const };
        if (found.value(lease)) return { result: 'waits' as const };
        const values = new Map([
          [lease, kept(1)],
          [taken, kept(before + 1)],
        ]);
        return { result: 'entered' as const, values };
      },
    });
    if (entered !== 'waits') return entered;
    await sleep(1 + Math.random() * 5);
  }
}

/** As a login does: the number, what is told and what is left behind hang on each other. */
function settle(
  ledger: Ledger,
  { who, value, place }: Pick<Deed, 'who' | 'value' | 'place'>,
): Promise<boolean> {
  const [lease, taken] = [`many-lease:${value}`, `many-place:${place}`];
  const claim = { key: `many:${value}`, value, seconds: 60 };
  const decide = (before: StateBefore): Settlement<boolean> => {
    const result = isFree(before, claim);
    const words = `${who} ${result ? 'granted' : 'refused'} ${value}`;
    const event = { time: 1, client: '-', application: 'Many', session: 'AAAAAAAA', text: words };
    return { result, claims: result ? [claim] : [], events: [event] };
  };
  return ledger.settle([claim.key], decide, {
    ...{ keys: [taken, lease], held: 1 },
    change: (found, result) => {
      const before = countOf(found.value(taken));
      return {
        result,
        values: new Map([[lease, null], ...(result ? [[taken, kept(before - 1)] as const] : [])]),
      };
    },
    made: () => {},
    isAwaited: (granted) => !granted,
  });
}

/**
 * What is wrong with a run: a number that two have, or that nobody has; two at a time that hold a lease; a place that gave
 * more than it had, or got something else back; an answer that the event log tells otherwise.
 */
export function checkHistory(
  deeds: readonly Deed[],
  { events, places: left }: { readonly events: readonly string[]; readonly places: readonly PlaceLeft[] },
): readonly string[] {
  const faults: string[] = [];
  for (const value of new Set(deeds.map((deed) => deed.value))) {
    const of = deeds.filter((deed) => deed.value === value).sort((one, other) => one.from - other.from);
    const granted = of.filter(({ isGranted }) => isGranted);
    if (granted.length !== 1) faults.push(`${value} was granted to ${granted.length}`);
    for (const [n, { who, from }] of of.entries())
      if (from < (of[n - 1]?.to ?? 0)) faults.push(`${who} was let in beside ${of[n - 1]?.who}`);
  }
  for (const [place, { most: all, taken }] of left.entries()) {
    const failed = deeds.filter((deed) => deed.place === place && !deed.isGranted).length;
    if (failed > all) faults.push(`place ${place} gave ${failed} of ${all}`);
    if (failed !== taken) faults.push(`place ${place} gave ${failed}, and ${taken} are taken`);
  }
  const answered = deeds.map(
    ({ who, value, isGranted }) => `${who} ${isGranted ? 'granted' : 'refused'} ${value}`,
  );
  for (const one of answered)
    if (events.filter((event) => event === one).length !== 1) faults.push(`not told once: ${one}`);
  for (const event of events) if (!answered.includes(event)) faults.push(`told, but not answered: ${event}`);
  return faults;
}
