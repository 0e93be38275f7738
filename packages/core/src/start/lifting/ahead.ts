/**
 * What a clock that was ahead has left in the store and on entries, and what would count until that time has come: time steps of
 * TOTP tokens, moments of last logins, and what was opened for a while. Whatever keeps when it began needs no lifting: what begins
 * in the future is over, or has begun now.
 */

import { claimFamily, claimSeconds, tokenKey, totpClaimOf } from '../../authenticators/code/claim-keys.ts';
import { closedStep, type TimeFloor } from '../../authenticators/token/time-floor.ts';
import type { TotpState } from '../../authenticators/token/token.ts';
import { readTokens, tokenChanges } from '../../authenticators/token/token-data.ts';
import { type DataChanges, dataOf, type StoredData, swapData } from '../../directory/data/data.ts';
import type { Entry } from '../../directory/directory.ts';
import { idOf } from '../../directory/entry/entry.ts';
import { isReason } from '../../errors/errors.ts';
import { lastLoginFamily } from '../../login/account/last-login.ts';
import { timeStep } from '../../oath/window.ts';
import { openingFamily } from '../../pki/auto-confirm.ts';
import { openFamily } from '../../policy/self/web-applications.ts';
import type { StoredValue } from '../../ports/store.ts';
import { Dn } from '../../text/dn.ts';
import { present } from '../../text/filter.ts';
import { utf8Text } from '../../text/value.ts';
import { changeRecord } from '../restoring/record-change.ts';
import { dropFamily, type RestoreView } from '../restoring/restore-run.ts';

export interface Lifting {
  readonly view: RestoreView;
  /** False: nothing is written, and it is said what would be. */
  readonly writes: boolean;
  /** The present, and the widest window that a code is good in. */
  readonly floor: TimeFloor;
  /** Of the directories. */
  readonly bases: readonly Dn[];
  /** Keeps in the event log whose tokens were lifted. */
  readonly tell: (dn: string, tokens: number) => Promise<void>;
}

export interface Lifted {
  readonly tokens: number;
  /** Claims ahead of tokens that no entry has. */
  readonly unknown: number;
  readonly logins: number;
  readonly openings: number;
  /** Bases of directories that did not answer. */
  readonly silent: readonly string[];
}

/** A claim of a TOTP token that is above the present. */
interface Ahead {
  readonly key: string;
  readonly period: number;
  readonly step: number;
}

/** By the keys of tokens. */
type AheadByToken = Map<string, Ahead[]>;

/** @throws ServiceError `internal` where a secret cannot be read; `unavailable` */
export async function liftAhead(lifting: Lifting): Promise<Lifted> {
  const { view, bases, floor } = lifting;
  const ahead = await claimsAhead(lifting);
  const known = new Set<string>();
  const lifter = new Lifter(ahead, known, lifting);
  const silent: string[] = [];
  for (const base of bases)
    await lifter.entriesBelow(base).catch((error) => {
      if (!isReason(error, 'unavailable')) throw error;
      silent.push(base.toString());
    });
  for await (const page of view.entryRecords.all())
    for (const [entry, text] of page) await lifter.record(entry, text);
  const openings =
    (await dropFamily(openingFamily, view, lifting)) + (await dropFamily(openFamily, view, lifting));
  return {
    ...{ tokens: lifter.tokens, openings, silent },
    unknown: [...ahead].filter(([token, claims]) => !known.has(token) && claims.some(isFar(floor))).length,
    logins: await liftLogins(lifting),
  };
}

const isFar =
  (floor: TimeFloor) =>
  ({ step, period }: Ahead): boolean =>
    step > closedStep(floor, 0, { period });

async function claimsAhead({ view, floor }: Lifting): Promise<AheadByToken> {
  const found: AheadByToken = new Map();
  for await (const page of view.store.family(claimFamily))
    for (const { key, value } of page) {
      const claim = totpClaimOf(key);
      const step = numberIn(value);
      if (!claim || !(step > timeStep(floor.moment, claim.period))) continue;
      found.set(claim.token, [...(found.get(claim.token) ?? []), { key, period: claim.period, step }]);
    }
  return found;
}

/** The decimal text of a claim. */
const numberIn = (value: Uint8Array): number => Number(utf8Text(value));

/** Entries and records of entries, whose tokens say how far they may be ahead. */
class Lifter {
  readonly #ahead: AheadByToken;
  readonly #known: Set<string>;
  readonly #lifting: Lifting;
  tokens = 0;

  constructor(ahead: AheadByToken, known: Set<string>, lifting: Lifting) {
    this.#ahead = ahead;
    this.#known = known;
    this.#lifting = lifting;
  }

  async entriesBelow(base: Dn): Promise<void> {
    const { view } = this.#lifting;
    const { accountSchema, identifier } = await view.server.capabilities(base);
    // What is kept of the others stands in records.
    if (!accountSchema || this.#ahead.size === 0) return;
    const attribute = view.config.schema.data_attribute;
    const filter = present(attribute);
    for await (const page of view.server.pages({ base, filter, attributes: [attribute, identifier] }))
      for (const entry of page) await this.#entry(entry, identifier);
  }

  async #entry(entry: Entry, identifier: string): Promise<void> {
    const { view, writes, tell } = this.#lifting;
    const dn = Dn.parse(entry.dn);
    const where = { dn, identifier, view };
    const steps = this.#stepsOf(dataOf(entry, where));
    if (steps.size === 0) return;
    if (writes) await swapData({ dn, id: idOf(entry, where) }, (now) => loweredSteps(now, steps, view), view);
    await this.#lower(steps);
    if (writes) await tell(entry.dn, steps.size);
  }

  async record(entry: string, text: string): Promise<void> {
    if (this.#ahead.size === 0) return;
    const { view, writes } = this.#lifting;
    let steps: TokenSteps = new Map();
    await changeRecord({ entry, text, view, writes }, async (stored) => {
      steps = this.#stepsOf(stored);
      return (now) => loweredSteps(now, steps, view);
    });
    await this.#lower(steps);
  }

  /** Of an entry's tokens that are ahead. */
  #stepsOf(stored: StoredData): TokenSteps {
    const { view, floor } = this.#lifting;
    const steps: TokenSteps = new Map();
    for (const token of readTokens(stored)) {
      if (!('step' in token.state)) continue;
      const key = tokenKey(token, view.keys);
      const { drift } = token.state;
      for (const { period, step } of this.#ahead.get(key) ?? []) {
        this.#known.add(key);
        const closed = closedStep(floor, drift, { period });
        if (step > closed) steps.set(key, Math.max(closed, steps.get(key) ?? 0));
      }
    }
    return steps;
  }

  /** The claims come last: by them a run that was cut short finds what is left to do on entries. */
  async #lower(steps: TokenSteps): Promise<void> {
    const { view, writes } = this.#lifting;
    this.tokens += steps.size;
    if (!writes) return;
    for (const [token, closed] of steps)
      for (const { key } of this.#ahead.get(token) ?? [])
        await view.store.update(key, (before) => {
          const isAhead = before !== undefined && numberIn(before) > closed;
          const value = Buffer.from(String(closed), 'latin1');
          return { result: undefined, ...(isAhead && { after: { value, seconds: claimSeconds } }) };
        });
  }
}

/** The steps that tokens are set back to, by their keys. */
type TokenSteps = Map<string, number>;

function loweredSteps(
  stored: StoredData,
  steps: TokenSteps,
  { keys }: Pick<RestoreView, 'keys'>,
): DataChanges {
  const lowered = readTokens(stored).flatMap((token) => {
    const step = steps.get(tokenKey(token, keys));
    if (step === undefined || !('step' in token.state) || token.state.step <= step) return [];
    const state: TotpState = { ...token.state, step };
    return [...tokenChanges(token.slot, { state })];
  });
  return new Map(lowered);
}

/** A moment ahead is the present: nobody knows the one before. */
async function liftLogins({ view, writes, floor }: Lifting): Promise<number> {
  const now = Math.floor(floor.moment / 1000);
  const isAhead = ({ value }: Pick<StoredValue, 'value'>): boolean => numberIn(value) > now + 60;
  let count = 0;
  for await (const page of view.store.family(lastLoginFamily))
    for (const one of page.filter(isAhead)) {
      count += 1;
      if (!writes) continue;
      const after = { value: Buffer.from(String(now), 'latin1'), seconds: claimSeconds };
      await view.store.update(one.key, (value) => ({
        result: undefined,
        ...(value && isAhead({ value }) && { after }),
      }));
    }
  return count;
}
