/**
 * Many who do at once what logins do: `checkHistory` reads what came of it. It is how a ledger that loses or doubles a step
 * is found out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnlocked, lockRecord } from '../../foundation/locks/lock.ts';
import { type BucketRule, bucketRecord, readBucket, taken } from '../../foundation/locks/token-bucket.ts';
import { isFree, type Ledger } from '../../ports/store/ledger.ts';
import type { LedgerFixture } from './ledger-contract.ts';

/** Somebody who was let in: it claimed a number, or was too late. */
export interface Deed {
  readonly who: number;
  readonly value: number;
  readonly isGranted: boolean;
  /** The interval of the event in this run: after it had got the lease of its number, and before it released it. */
  readonly from: number;
  readonly to: number;
  readonly place: number;
}

/** The tokens of a source: all, and those that are taken. */
export interface PlaceLeft {
  readonly most: number;
  readonly taken: number;
}

const [attempts, numbers, places, most] = [120, 6, 2, 30];
const ruleOf = (place: number): BucketRule => ({ key: `many-place:${place}`, most, every: 600_000 });

/** Tokens that a place has given and not got back. */
function tokensOf(record: Uint8Array | undefined): number {
  if (!record) return 0;
  const { owed } = JSON.parse(Buffer.from(record).toString());
  return Math.ceil(owed / ruleOf(0).every);
}

/** @returns what is wrong with what came of it */
export async function playMany(
  ledgers: readonly Ledger[],
  { events, ephemeral }: Pick<LedgerFixture, 'events' | 'ephemeral'>,
): Promise<readonly string[]> {
  let last = 0;
  const next = () => {
    last += 1;
    return last;
  };
  const steps = Array.from({ length: attempts }, async (_, who): Promise<readonly Deed[]> => {
    const ledger = ledgers[who % ledgers.length];
    const [value, place] = [who % numbers, Math.floor(who / numbers) % places];
    if (!ledger || (await admit(ledger, { who, value, place })) === 'refused') return [];
    const from = next();
    await sleep(0);
    const to = next();
    return [{ who, value, place, from, to, isGranted: await commit(ledger, { who, value, place }) }];
  });
  const deeds = (await Promise.all(steps)).flat();
  const result = await events.list({ application: 'Many', max: 10_000 });
  const left = [];
  for (let place = 0; place < places; place += 1)
    left.push({ most, taken: tokensOf(await ephemeral.get(ruleOf(place).key)) });
  return checkHistory(deeds, { events: result.map((event) => event.text), places: left });
}

/** Takes a token of the place, and the lock of the number. */
async function admit(
  ledger: Ledger,
  { who, value, place }: Pick<Deed, 'who' | 'value' | 'place'>,
): Promise<'admitted' | 'refused'> {
  const [lock, rule] = [`many-lock:${value}`, ruleOf(place)];
  for (;;) {
    const admitted = await ledger.admit<'admitted' | 'refused' | 'waits'>({
      ...{ durable: [], ephemeral: [rule.key, lock] },
      decide: (_, state) => {
        const bucket = taken(readBucket(state.value(rule.key), rule, state), rule, ledger.holder);
        if (!bucket) return { result: 'refused' };
        if (!isUnlocked(state.value(lock), state)) return { result: 'waits' };
        const { holder } = ledger;
        const record = lockRecord(String(who), { now: state.now, holder });
        return {
          result: 'admitted',
          values: [
            [lock, record],
            [rule.key, bucketRecord(bucket)],
          ],
        };
      },
    });
    if (admitted !== 'waits') return admitted;
    await sleep(1 + Math.random() * 5);
  }
}

/** Commits as a login does: the number, the event and the releases depend on each other. */
function commit(
  ledger: Ledger,
  { who, value, place }: Pick<Deed, 'who' | 'value' | 'place'>,
): Promise<boolean> {
  const [lock, rule] = [`many-lock:${value}`, ruleOf(place)];
  const claim = { key: `many:${value}`, value, seconds: 60 };
  return ledger.commit({
    ...{ durable: [claim.key], ephemeral: [rule.key, lock] },
    decide: (state) => {
      const result = isFree(state, claim);
      const words = `${who} ${result ? 'granted' : 'refused'} ${value}`;
      const event = { time: 1, client: '-', application: 'Many', session: 'AAAAAAAA', text: words };
      return {
        ...{ result, claims: result ? [claim] : [], events: [event] },
        release: [
          { kind: 'tokens', key: rule.key, rule, change: result ? 'return' : 'keep' },
          { kind: 'unlock', key: lock, owner: String(who) },
        ],
      };
    },
  });
}

/**
 * Returns the faults of a run: a number that two have, or none; two holders of a lease at a time; a source that gave more tokens than it
 * had, or got another one back; an answer that differs from the event log.
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
