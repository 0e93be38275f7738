/** Keys of claims, and the TOTP time floor. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import {
  acceptedOf,
  claimKey,
  closedStep,
  lowerTimeFloor,
  openAgain,
  raiseTimeFloor,
  type TimeFloor,
  timeFloorKey,
  tokenKey,
  totpClaimOf,
} from './claim-keys.ts';
import { hotpToken, keys, knownOf, secret, totpToken } from './testing/owner.ts';

it('makes one key of a secret, whatever array its bytes are in', () => {
  const padded = new Uint8Array([0, ...secret, 0]);
  const key = tokenKey(totpToken, keys);
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(tokenKey({ type: 'TOTP', secret: Uint8Array.from(secret) }, keys)).toBe(key);
  expect(tokenKey({ type: 'TOTP', secret: padded.subarray(1, -1) }, keys)).toBe(key);
  expect(tokenKey({ type: 'TOTP', secret: padded }, keys)).not.toBe(key);
  expect(tokenKey({ type: 'HOTP', secret }, keys)).not.toBe(key);
});

it('reads the token and the time step from a claim of TOTP alone', () => {
  const rules = { period: 60 };
  const token = tokenKey(totpToken, keys);
  expect(totpClaimOf(claimKey(totpToken, rules, keys))).toEqual({ token, period: 60 });
  expect(totpClaimOf(claimKey(hotpToken, rules, keys))).toBeUndefined();
  expect(totpClaimOf(`list:${token}:60`)).toBeUndefined();
});

describe('the time floor in the store', () => {
  let node: Fixture;
  beforeAll(async () => {
    node = await openFixture();
  });
  afterAll(() => node.close());
  beforeEach(() => node.ports.store.remove(timeFloorKey));

  const raise = (moment: number, window: number) => raiseTimeFloor({ moment, window }, node.ports.store);
  const lower = (moment: number, window: number, writes = true) =>
    lowerTimeFloor({ moment, window }, { store: node.ports.store, writes });
  const floor = async (): Promise<TimeFloor | undefined> => {
    const record = await node.ports.store.get(timeFloorKey);
    return record && JSON.parse(Buffer.from(record).toString());
  };

  it('is raised to the later moment and the wider window', async () => {
    await raise(10_000, 60);
    expect(await floor()).toEqual({ moment: 10_000, window: 60 });
    await raise(5_000, 120);
    expect(await floor()).toEqual({ moment: 10_000, window: 120 });
    await raise(20_000, 30);
    expect(await floor()).toEqual({ moment: 20_000, window: 120 });
  });

  it('is lowered only when it is ahead, with the wider window', async () => {
    expect(await lower(10_000, 60)).toBe(false);
    expect(await floor()).toBeUndefined();
    await raise(20_000, 60);
    expect(await lower(20_000, 90)).toBe(false);
    expect(await floor()).toEqual({ moment: 20_000, window: 60 });
    expect(await lower(19_000, 30)).toBe(true);
    expect(await floor()).toEqual({ moment: 19_000, window: 60 });
    expect(await lower(10_000, 90)).toBe(true);
    expect(await floor()).toEqual({ moment: 10_000, window: 90 });
  });

  it('stays in a dry run, which says whether it is ahead', async () => {
    await raise(20_000, 60);
    expect(await lower(10_000, 60, false)).toBe(true);
    expect(await floor()).toEqual({ moment: 20_000, window: 60 });
  });
});

describe('the numbers that a token has passed', () => {
  const [moment, window] = [100 * 30_000, 60];
  const rules = { digits: 6, period: 30, lookAhead: 10, timeWindow: 60 };
  const record = Buffer.from(JSON.stringify({ moment, window }));
  const accepted = (token: Parameters<typeof acceptedOf>[0], claimed?: number, hasFloor = true) => {
    const values = new Map(hasFloor ? [[timeFloorKey, record]] : []);
    const claims = new Map(claimed === undefined ? [] : [['token:one', claimed]]);
    return acceptedOf(token, rules, { known: knownOf(values, claims), claims: 'token:one' });
  };

  it('are those claimed, and for TOTP those that the floor closes', () => {
    expect([accepted(totpToken), accepted(totpToken, 103), accepted(totpToken, 105)]).toEqual([
      104, 104, 105,
    ]);
    expect([accepted(totpToken, 7, false), accepted(totpToken, undefined, false)]).toEqual([7, undefined]);
    expect([accepted(hotpToken, 7), accepted(hotpToken)]).toEqual([7, undefined]);
    expect(accepted({ state: { step: 0, drift: 3 }, shape: { digits: 6, period: 60 } })).toBe(50 + 3 + 2);
  });

  it('are closed for two windows after the floor, the wider ones, and for a drift ahead', () => {
    const closed = (drift: number, timeWindow?: number) =>
      closedStep({ moment, window }, drift, { period: 30, ...(timeWindow && { timeWindow }) });
    expect([closed(0), closed(3), closed(-3)]).toEqual([104, 107, 104]);
    expect([closed(0, 30), closed(0, 120)]).toEqual([104, 108]);
    expect(openAgain({ moment, window })).toBe(moment + 120_000);
  });
});
