/**
 * Callers without a proof cannot weaken a login: whatever `client`, `settings` and `options` they send, the required
 * factors are never fewer, nor others, than without them. All combinations.
 *
 * Seen to fail with the guards taken out: in administration/policy/client-policies.ts, give `named` where a StricterPolicy is made; in
 * administration/policy/strictness.ts, leave `effective` out; in login/credentials.ts, leave `isRaised` out; in administration/policy/client-policies.ts, let
 * `maySet` be true.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../administration/policy/caller.ts';
import { findAccount } from '../../login/account-lookup.ts';
import { readContext } from '../../login/context.ts';
import { wantedFactors } from '../../login/credentials.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { otp } from './index.ts';

const loginModes = ['LDAP', 'OTP', 'LDAPOTP', 'LDAPMFA'];
const clientModes = ['default', 'step_down', 'step_up', 'no_access'] as const;
const policies = loginModes.flatMap((loginMode) =>
  clientModes.flatMap((mode) =>
    [[], ['-LDAP' as const]].map((allowed_options) => ({
      ...{ mode, allowed_options, settings: { 'Otp.LoginMode': loginMode } },
    })),
  ),
);
const own = Object.fromEntries(policies.map((policy, n) => [`10.0.0.${n}`, policy]));
const named = Object.fromEntries(policies.map((policy, n) => [`named ${n}`, policy]));

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ config: { clients: { ...own, ...named } } });
});
afterAll(() => fixture.close());

interface Said {
  readonly client?: string;
  readonly settings?: string;
  readonly options?: string;
}

/** The factors that are wanted of somebody; undefined: nobody is let in. */
async function factors(caller: Caller, said: Said): Promise<ReadonlySet<string> | undefined> {
  const call = {
    ...fixture.core,
    caller,
    transaction: { id: 'TESTTEST', client: '-' },
    application: otp,
    operation: 'test',
  };
  const context = readContext({ username: 'nobody', ...said }, call);
  const found = await findAccount(context, fixture.core);
  const preset = found.account ?? found.defaults;
  const wanted = preset && wantedFactors(preset, context);
  return (
    wanted && new Set(Object.entries(wanted).flatMap(([factor, isWanted]) => (isWanted ? [factor] : [])))
  );
}

const both = ['', '-LDAP'];
const words: readonly Said[] = ['somebody', ...Object.keys(named), undefined].flatMap((client) =>
  [undefined, ...loginModes].flatMap((loginMode) =>
    both.map((options) => ({
      options,
      ...(client !== undefined && { client }),
      ...(loginMode !== undefined && { settings: `LoginMode=${loginMode}` }),
    })),
  ),
);

describe('by words alone', () => {
  it.each(Object.keys(own))('%s never asks for less', async (address) => {
    const without = await Promise.all(both.map((options) => factors({ address }, { options })));
    for (const said of words) {
      const wanted = await factors({ address }, said);
      const isNoLess = without.some(
        (least) =>
          wanted === undefined || (least !== undefined && [...least].every((one) => wanted.has(one))),
      );
      expect([said, isNoLess]).toEqual([said, true]);
    }
  });

  it('callers that are let choose have what they name', async () => {
    const lax = Object.keys(named).find((name) => named[name]?.settings['Otp.LoginMode'] === 'LDAP');
    const said = { client: lax ?? '', settings: 'LoginMode=OTP' };
    expect(await factors({ address: '192.0.2.1', choosesPolicy: true }, said)).toEqual(new Set(['code']));
    expect(await factors({ address: '192.0.2.1' }, said)).toEqual(new Set(['password', 'code']));
  });
});
