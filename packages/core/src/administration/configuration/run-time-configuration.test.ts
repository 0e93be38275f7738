import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEnvironment, openEphemeral, openEventLog, openLedger } from '../../../../embedded/src/index.ts';
import { systemRandom } from '../../../../node/src/machine/index.ts';
import { StartError } from '../../foundation/errors/start-error.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { KeyRing } from '../../ports/keys.ts';
import { scratchFolder } from '../../testing/bed/scratch.ts';
import { TestClock } from '../../testing/test-clock.ts';
import {
  type ConfigurationContext,
  configurationHistory,
  getConfiguration,
  restoreConfiguration,
  setConfiguration,
} from './run-time-configuration.ts';
import { mostVersions, putVersion } from './versions.ts';

let call: ConfigurationContext;
let clock: TestClock;
let dispose: () => Promise<void>;
beforeEach(async () => {
  const folder = await scratchFolder('configuration');
  clock = new TestClock();
  const environment = await openEnvironment(folder);
  const ephemeral = await openEphemeral(folder, 'this-run');
  const store = openLedger({ lasting: environment, ephemeral }, clock, await openEventLog(environment));
  call = {
    administrator: Dn.parse('uid=ada,dc=example,dc=org'),
    rights: { isSuperAdmin: true, isFree: true },
    transaction: { client: '192.0.2.1:5000' },
    configuration: { version: '0', schema: {}, file: {}, runtime: {}, check: async () => undefined },
    config: { admin_auth: 'OTP', manager_auth: 'UID' },
    ...{ store, clock, keys: new KeyRing([randomBytes(32)], systemRandom) },
    sessionBegan: async () => clock.now(),
  };
  dispose = async () => {
    await ephemeral.close();
    await environment.close();
    await rm(folder, { recursive: true });
  };
});
afterEach(() => dispose());

const set = (patch: Readonly<Record<string, unknown>>, context = call) =>
  setConfiguration({ patch, comment: '' }, context);

describe('who administers and who is trusted', () => {
  const patch = { trusted_callers: ['192.0.2.7'] };
  const late = 15 * 60_000 + 1;

  it.each<[string, Partial<ConfigurationContext>]>([
    ['in a session that began with a second factor', {}],
    [
      'by a call with a certificate',
      { sessionBegan: async () => undefined, config: { admin_auth: 'UID', manager_auth: 'PKI' } },
    ],
  ])('changes %s', async (_, more) => {
    expect(await set(patch, { ...call, ...more })).toMatchObject({ changed: ['trusted_callers'] });
  });

  it.each<[string, () => Partial<ConfigurationContext>]>([
    ['in a session with a password alone', () => ({ config: { admin_auth: 'UID', manager_auth: 'PKI' } })],
    ['by a call with a password alone', () => ({ sessionBegan: async () => undefined })],
    ['a quarter of an hour after the sign-in', () => ({ sessionBegan: async () => clock.now() - late })],
  ])('does not change %s', async (_, more) => {
    await expect(set(patch, { ...call, ...more() })).rejects.toMatchObject({
      reason: 'insufficient_user_authentication',
    });
    expect((await getConfiguration(undefined, call)).number).toBe(0);
  });

  it('puts them back by an earlier version under the same condition only', async () => {
    const { number } = await set(patch);
    await set({ trusted_callers: null });
    const later = { ...call, sessionBegan: async () => clock.now() - late };
    await expect(restoreConfiguration(number, later)).rejects.toMatchObject({
      reason: 'insufficient_user_authentication',
    });
  });
});

it.each<[string, Partial<ConfigurationContext['rights']>]>([
  ['a role alone', { isSuperAdmin: false }],
  ['an option set that restricts it', { isFree: false }],
])('refuses an administrator with %s', async (_, rights) => {
  const restricted = { ...call, rights: { ...call.rights, ...rights } };
  await expect(set({ rest_get: false }, restricted)).rejects.toMatchObject({ reason: 'permission_denied' });
});

it('changes nothing that the host refuses, and answers its words', async () => {
  const check = async () => {
    throw new StartError('super_admins would not include you');
  };
  const refusing = { ...call, configuration: { ...call.configuration, check } } as ConfigurationContext;
  await expect(set({ rest_get: false }, refusing)).rejects.toThrow('super_admins would not include you');
  expect((await getConfiguration(undefined, call)).number).toBe(0);
});

it('makes no version of a change that changes nothing', async () => {
  await set({ rest_get: false });
  expect(await set({ rest_get: false })).toEqual({ number: 1, changed: [] });
});

it('refuses settings that are too large', async () => {
  const clients = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`client-number-${n}`, {}]));
  await expect(set({ clients })).rejects.toMatchObject({ reason: 'too_large' });
});

it('puts one of two versions in force that follow the same one', async () => {
  const version = { author: 'ada', comment: '', changed: ['rest_get'], settings: { rest_get: false } };
  expect(await putVersion(version, 0, call)).toBe(1);
  await expect(putVersion({ ...version, author: 'eve' }, 0, call)).rejects.toMatchObject({
    reason: 'already_exists',
  });
  expect(await configurationHistory(call)).toMatchObject([{ number: 1, author: 'ada' }]);
});

it('keeps the last hundred versions', async () => {
  for (let number = 1; number <= mostVersions + 3; number += 1)
    await set({ ws_url: `https://host${number}.example.org` });
  const versions = await configurationHistory(call);
  expect(versions).toHaveLength(mostVersions);
  expect(versions[0]?.number).toBe(mostVersions + 3);
  await expect(getConfiguration(3, call)).rejects.toMatchObject({ reason: 'not_found' });
  expect((await getConfiguration(4, call)).settings).toEqual({ ws_url: 'https://host4.example.org' });
});

it('says that a program has the configuration where no host has handed it in', async () => {
  const { configuration: _, ...without } = call;
  await expect(set({ rest_get: false }, without)).rejects.toMatchObject({ reason: 'unavailable' });
});
