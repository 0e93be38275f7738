/**
 * Removes times in the future that a clock that was ahead has left in the store and on entries: time steps of TOTP tokens and their floor,
 * times of last logins, and openings for a time. Records that store their start need no repair: a start in the future counts as now.
 */

import { openingFamily } from '../../administration/pki/auto-confirm.ts';
import { openFamily } from '../../administration/policy/self/web-applications.ts';
import {
  claimFamily,
  claimSeconds,
  closedStep,
  lowerTimeFloor,
  type TimeFloor,
  tokenKey,
  totpClaimOf,
} from '../../authenticators/claim-keys.ts';
import { codeSettings } from '../../authenticators/settings.ts';
import type { TotpState } from '../../authenticators/token.ts';
import { readTokens, tokenChanges } from '../../authenticators/token-data.ts';
import { type DataChanges, dataOf, type StoredData, swapData } from '../../directory/data/data.ts';
import { identifierOf, idOf } from '../../directory/entry/entry.ts';
import { memberAttributes } from '../../directory/entry/group.ts';
import { userFilter } from '../../directory/entry/user.ts';
import { isReason } from '../../foundation/errors/errors.ts';
import { timeStep } from '../../foundation/oath/window.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { present } from '../../foundation/text/filter.ts';
import { utf8Text } from '../../foundation/text/value.ts';
import { lastLoginFamily } from '../../login/account.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import type { StoredValue } from '../../ports/store/store.ts';
import { changeRecord } from './restoration/record-change.ts';
import { dropFamily, type RestoreView } from './restoration/restore-run.ts';
import { rulesOf } from './restoration/widest.ts';

export interface Lifting {
  readonly view: RestoreView;
  /** False: nothing is written, and it is said what would be. */
  readonly writes: boolean;
  /** The present, and the widest window that a code is good in. */
  readonly floor: TimeFloor;
  /** Bases of the directories. */
  readonly bases: readonly Dn[];
  /** Keeps in the event log whose tokens were lifted. */
  readonly tell: (dn: string, tokens: number) => Promise<void>;
}

export interface Lifted {
  readonly tokens: number;
  /** The time floor of TOTP was ahead. */
  readonly hasFloor: boolean;
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

/** Steps ahead, by the keys of tokens. */
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
    hasFloor: await lowerTimeFloor(floor, { store: view.store, writes: lifting.writes }),
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

/** Lifts the tokens of entries, on the entries and in their records. */
class Lifter {
  readonly #ahead: AheadByToken;
  readonly #known: Set<string>;
  readonly #lifting: Lifting;
  /** Identifiers of entries whose records were lifted where it was known whose they are. */
  readonly #seen = new Set<string>();
  tokens = 0;

  constructor(ahead: AheadByToken, known: Set<string>, lifting: Lifting) {
    this.#ahead = ahead;
    this.#known = known;
    this.#lifting = lifting;
  }

  async entriesBelow(base: Dn): Promise<void> {
    if (this.#ahead.size === 0) return;
    const { view } = this.#lifting;
    const { schema } = view.config;
    const { vendor, accountSchema, identifier } = await view.server.capabilities(base);
    const filter = accountSchema ? present(schema.data_attribute) : userFilter(schema, vendor);
    const attributes = accountSchema ? [schema.data_attribute, identifier] : [identifier];
    for await (const page of view.server.pages({ base, filter, attributes }))
      if (accountSchema) for (const entry of page) await this.#entry(entry, identifier);
      else await this.#recordsOf(page, identifier);
  }

  async #entry(entry: Entry, identifier: string): Promise<void> {
    const { view, writes } = this.#lifting;
    const dn = Dn.parse(entry.dn);
    const where = { dn, identifier, view };
    const past = await this.#pastOf(dataOf(entry, where), dn);
    if (past.steps.size === 0) return;
    if (writes) await swapData({ dn, id: idOf(entry, where) }, (now) => loweredSteps(now, past, view), view);
    await this.#lower(past, dn);
  }

  async #recordsOf(page: readonly Entry[], identifier: string): Promise<void> {
    const { view } = this.#lifting;
    const dns = new Map(page.map((entry) => [identifierOf(entry, identifier) ?? '', Dn.parse(entry.dn)]));
    for (const [entry, text] of await view.entryRecords.read([...dns.keys()]))
      await this.record(entry, text, dns.get(entry));
  }

  /** @param dn optional; default: unknown */
  async record(entry: string, text: string, dn?: Dn): Promise<void> {
    if (this.#ahead.size === 0 || this.#seen.has(entry)) return;
    this.#seen.add(entry);
    const { view, writes } = this.#lifting;
    let past: Past = { steps: new Map(), claims: new Map() };
    await changeRecord({ entry, text, view, writes }, async (stored) => {
      past = await this.#pastOf(stored, dn);
      return (now) => loweredSteps(now, past, view);
    });
    await this.#lower(past, dn);
  }

  /** The window of a user is asked for where the narrowest one leaves something ahead: of most entries nothing is. */
  async #pastOf(stored: StoredData, dn: Dn | undefined): Promise<Past> {
    const past = this.#pastWithin(stored, 0);
    return past.steps.size === 0 ? past : this.#pastWithin(stored, await this.#windowOf(dn));
  }

  /** Returns the window in seconds; the widest possible where the user of a token is unknown. */
  async #windowOf(dn: Dn | undefined): Promise<number> {
    const { view } = this.#lifting;
    const { schema } = view.config;
    const attributes = [schema.settings_attribute, ...memberAttributes(schema)];
    const entry = dn && (await view.directory.read(dn, attributes));
    return entry ? (await rulesOf(entry, view)).timeWindow : codeSettings.TOTPTimeOffsetWindow.type.max;
  }

  #pastWithin(stored: StoredData, timeWindow: number): Past {
    const { view, floor } = this.#lifting;
    const [steps, claims] = [new Map<string, number>(), new Map<string, number>()];
    for (const token of readTokens(stored)) {
      if (!('step' in token.state)) continue;
      const name = tokenKey(token, view.keys);
      const { drift } = token.state;
      for (const { key, period, step } of this.#ahead.get(name) ?? []) {
        this.#known.add(name);
        const closed = closedStep(floor, drift, { period, timeWindow });
        if (step <= closed) continue;
        claims.set(key, closed);
        steps.set(name, Math.max(closed, steps.get(name) ?? 0));
      }
    }
    return { steps, claims };
  }

  /** The claims come last: by them a run that was cut short finds what is left to do on entries. */
  async #lower({ steps, claims }: Past, dn: Dn | undefined): Promise<void> {
    const { view, writes, tell } = this.#lifting;
    this.tokens += steps.size;
    if (!writes) return;
    for (const [key, closed] of claims)
      await view.store.update(key, (before) => {
        const isAhead = before !== undefined && numberIn(before) > closed;
        const value = Buffer.from(String(closed), 'latin1');
        return { result: undefined, ...(isAhead && { after: { value, seconds: claimSeconds } }) };
      });
    if (dn && steps.size > 0) await tell(dn.toString(), steps.size);
  }
}

/** The time steps that tokens are set back to. */
interface Past {
  /** Steps on entries, by the keys of the tokens. */
  readonly steps: ReadonlyMap<string, number>;
  /** Steps of claims, by their keys: each counts steps of its own length. */
  readonly claims: ReadonlyMap<string, number>;
}

function loweredSteps(stored: StoredData, { steps }: Past, { keys }: Pick<RestoreView, 'keys'>): DataChanges {
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
