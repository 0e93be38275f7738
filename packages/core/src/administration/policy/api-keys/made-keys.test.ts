import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../../node/src/machine/index.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { assertChanges, configurationHistory } from '../../configuration/run-time-configuration.ts';
import { readCurrent } from '../../configuration/versions.ts';
import { type ChangingKeys, makeKey, renewKey, revokeKey } from './made-keys.ts';

let fixture: Fixture;
let call: ChangingKeys;
beforeEach(async () => {
  fixture = await openFixture();
  call = {
    administrator: Dn.parse(fixture.admin.dn),
    rights: { isSuperAdmin: true, isFree: true },
    transaction: { client: '192.0.2.1:5000' },
    configuration: {
      ...{ version: '0', schema: {}, runtime: {}, check: async () => undefined },
      file: { api_keys: { 7: { sha256: 'ab'.repeat(32) }, 1001: { sha256: 'ab'.repeat(32) } } },
    },
    config: { admin_auth: 'OTP', manager_auth: 'UID' },
    ...{ store: fixture.ports.store, clock: fixture.clock, keys: fixture.ports.keys, random: systemRandom },
    sessionBegan: async () => fixture.clock.now(),
  };
});
afterEach(() => fixture.close());

const wanted = {
  ...{ owner: 'Network team', services: undefined, clients: undefined, client: undefined },
  ...{ expires: undefined, comment: undefined },
};
const renewal = { overlap: 60, expires: undefined, comment: undefined };
const rowsNow = async () => (await readCurrent(call)).settings.api_keys;
const digestIn = (key: string) =>
  createHash('sha256')
    .update(key.split('_')[1] ?? '')
    .digest('hex');

it('stores the digest of a key alone, under a number that the file does not have', async () => {
  const { id, key, version } = await makeKey({ ...wanted, services: ['otp'] }, call);
  expect({ id, version }).toEqual({ id: '1002', version: 1 });
  expect(key).toMatch(/^1002_[0-9a-f]{40}$/);
  expect(await rowsNow()).toEqual({
    1002: { sha256: digestIn(key), owner: 'Network team', services: ['otp'] },
  });
  expect(await configurationHistory(call)).toMatchObject([
    { author: fixture.admin.dn, comment: 'API key 1002 made', changed: ['api_keys.1002'] },
  ]);
});

it('gives concurrent makes different numbers, and loses none of them', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => makeKey(wanted, call)));
  const ids = made.map(({ id }) => id).sort();
  expect(new Set(ids).size).toBe(5);
  expect(Object.keys(Object(await rowsNow()))).toEqual(ids);
});

it.each<[string, (id: string, context: ChangingKeys) => Promise<unknown>]>([
  ['a make', (_, context) => makeKey(wanted, context)],
  ['a renewal', (id, context) => renewKey({ ...renewal, id }, context)],
  ['a revocation', (id, context) => revokeKey({ id, comment: undefined }, context)],
])('repeats %s that another change came before', async (_, change) => {
  const { id } = await makeKey(wanted, call);
  let isFirst = true;
  const check = async () => {
    if (!isFirst) return;
    isFirst = false;
    await makeKey({ ...wanted, owner: 'another team' }, call);
  };
  await change(id, { ...call, configuration: { ...assertChanges(call), check } });
  expect((await readCurrent(call)).number).toBe(3);
  expect(JSON.stringify(await rowsNow())).toContain('another team');
});

it('uses the number of a revoked key for no other', async () => {
  const { id } = await makeKey(wanted, call);
  await revokeKey({ id, comment: undefined }, call);
  expect(await rowsNow()).toEqual({});
  expect((await makeKey(wanted, call)).id).not.toBe(id);
});

describe('a renewal', () => {
  it('keeps the key before for the overlap, and all else of the key', async () => {
    const before = await makeKey({ ...wanted, expires: Date.UTC(2030, 0) }, call);
    const { key, until } = await renewKey({ ...renewal, id: before.id }, call);
    expect(until).toBe(fixture.clock.now() + 60_000);
    expect(await rowsNow()).toEqual({
      [before.id]: {
        ...{ sha256: digestIn(key), owner: 'Network team', expires: '2030-01-01 00:00:00' },
        previous: { sha256: digestIn(before.key), until: '2026-11-20 12:01:00' },
      },
    });
  });

  it('ends the key before at once without an overlap', async () => {
    const { id } = await makeKey(wanted, call);
    await renewKey({ ...renewal, id }, call);
    const { key, until } = await renewKey({ ...renewal, id, overlap: 0 }, call);
    expect(until).toBeUndefined();
    expect(await rowsNow()).toEqual({ [id]: { sha256: digestIn(key), owner: 'Network team' } });
  });

  it('needs a later end for an expired key', async () => {
    const { id } = await makeKey({ ...wanted, expires: fixture.clock.now() + 1000 }, call);
    fixture.clock.advance(1000);
    const past = { reason: 'invalid_params', message: expect.stringContaining('name a later end') };
    await expect(renewKey({ ...renewal, id }, call)).rejects.toMatchObject({ reason: past.reason });
    const expires = fixture.clock.now() + 60_000;
    const { key } = await renewKey({ ...renewal, id, expires }, call);
    expect(await rowsNow()).toEqual({
      [id]: { sha256: digestIn(key), owner: 'Network team', expires: '2026-11-20 12:01:01' },
    });
  });

  it('gives the key before no later end than it had', async () => {
    const before = await makeKey({ ...wanted, expires: fixture.clock.now() + 10_000 }, call);
    const expires = fixture.clock.now() + 3_600_000;
    const { until } = await renewKey({ ...renewal, id: before.id, expires }, call);
    expect(until).toBe(fixture.clock.now() + 10_000);
    expect(await rowsNow()).toMatchObject({
      [before.id]: { previous: { sha256: digestIn(before.key), until: '2026-11-20 12:00:10' } },
    });
  });
});

it('refuses to make a key that has ended', async () => {
  await expect(makeKey({ ...wanted, expires: fixture.clock.now() }, call)).rejects.toMatchObject({
    reason: 'invalid_params',
  });
});

describe.each([
  ['Renew_API_Key', (id: string) => renewKey({ ...renewal, id }, call)],
  ['Revoke_API_Key', (id: string) => revokeKey({ id, comment: undefined }, call)],
])('%s', (_, change) => {
  it('refuses a key of the file by name, and changes nothing', async () => {
    await expect(change('7')).rejects.toMatchObject({
      reason: 'invalid_params',
      detail: 'API key 7 is in the configuration file: change api_keys.7 there, and reload',
    });
    expect((await readCurrent(call)).number).toBe(0);
  });

  it.each(['1002', '0'])('finds no key %s', async (id) => {
    await expect(change(id)).rejects.toMatchObject({ reason: 'not_found' });
  });
});

it.each<[string, () => Partial<ChangingKeys>, string]>([
  ['a role alone', () => ({ rights: { isSuperAdmin: false, isFree: true } }), 'permission_denied'],
  ['an option set', () => ({ rights: { isSuperAdmin: true, isFree: false } }), 'permission_denied'],
  [
    'a password alone',
    () => ({ config: { admin_auth: 'UID', manager_auth: 'UID' } }),
    'insufficient_user_authentication',
  ],
])('changes no key for an administrator with %s', async (_, more, reason) => {
  const { id } = await makeKey(wanted, call);
  const restricted = { ...call, ...more() };
  for (const change of [
    () => makeKey(wanted, restricted),
    () => renewKey({ ...renewal, id }, restricted),
    () => revokeKey({ id, comment: undefined }, restricted),
  ])
    await expect(change()).rejects.toMatchObject({ reason });
  expect((await readCurrent(call)).number).toBe(1);
});
