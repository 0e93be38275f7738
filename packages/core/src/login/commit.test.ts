/** Logins that are written down: what is on record of them, and who of two that are under way at once is let in. */
import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../administration/policy/caller.ts';
import type { OperationCall } from '../applications/context/call.ts';
import { otp } from '../applications/otp/index.ts';
import { findCode } from '../authenticators/code-verification.ts';
import { emergencyChanges, emergencyOf } from '../authenticators/lists.ts';
import { tokenChanges } from '../authenticators/token-data.ts';
import { knownCodesKeys, readKnown } from '../authenticators/user-authenticators.ts';
import { swapData } from '../directory/data/data.ts';
import { findEntryRef } from '../directory/data/user-data.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { hotp } from '../foundation/oath/hotp.ts';
import { totp } from '../foundation/oath/totp.ts';
import { Dn } from '../foundation/text/dn.ts';
import type { Ledger } from '../ports/store/ledger.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { findAccount } from './account-lookup.ts';
import { challengeKey } from './challenge.ts';
import { commit, prepare } from './commit.ts';
import { type LoginContext, readContext } from './context.ts';
import { login } from './login.ts';
import type { LoginAttemptOutcome, LoginClaim } from './outcome.ts';
import { failed } from './verdict.ts';

const secret = Buffer.from('12345678901234567890');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };

/** Releases are lost while it is true. */
let isDown: boolean;
/** What happens between a look at the uses of an emergency password and what comes of it. */
let meanwhile: (() => Promise<void>) | undefined;
/** Number of times that the uses of an emergency password were asked for. */
let looks = 0;
let fixture: Fixture;
let dn: Dn;
beforeEach(async () => {
  isDown = false;
  meanwhile = undefined;
  fixture = await openFixture({
    config: { limits: { login_failure_delay_ms: 0 } },
    ports: ({ store }) => ({ store: failing(interrupted(store)) }),
  });
  dn = Dn.parse(fixture.users.alice.dn);
  await fixture.call('Activate_LDAP_Object', { dn: dn.toString() });
});
afterEach(() => fixture.close());

/** Loses what a commit releases while it is down: a release is nobody's error. */
const failing = (store: Ledger): Ledger => ({
  ...store,
  commit: (step) =>
    store.commit({
      ...step,
      decide: (state) => {
        const { release, ...changes } = step.decide(state);
        return isDown ? changes : { ...changes, release };
      },
    }),
});

const interrupted = (store: Ledger): Ledger => ({
  ...store,
  claimed: async (key) => {
    const seen = await store.claimed(key);
    if (!key.startsWith('emergency:')) return seen;
    looks += 1;
    const happens = meanwhile;
    meanwhile = undefined;
    await happens?.();
    return seen;
  },
});

const write = (changes: ReadonlyMap<string, Uint8Array | null>) =>
  findEntryRef(dn, fixture.core).then((entryRef) => swapData(entryRef, () => changes, fixture.core));

const callFrom = (address: string, caller: Caller = { address }): OperationCall => ({
  ...{ ...fixture.core, caller, application: otp, operation: 'otpNormalLogin' },
  transaction: { id: 'TESTTEST', client: `${address}:1` },
});

/** Right, and nothing of it used up yet: an answer to a challenge, if there is a session. @returns what claims it */
async function judged(code: string, session?: string): Promise<() => Promise<LoginClaim>> {
  const call = callFrom('192.0.2.7');
  const context: LoginContext = readContext({ username: 'alice' }, call);
  const { account } = await findAccount(context, call);
  const [of] = account?.authenticators ?? [];
  const right =
    account &&
    of &&
    findCode(code, of, account, { ...call, known: await readKnown(knownCodesKeys(account), call.store) });
  if (!right) throw new Error('the code is wrong');
  const proof = { kind: 'right', account, code: right, session, concat: 0, budgetSpent: 0 } as const;
  return () => prepare({ ...proof, ifClaimLost: {} }, context, call);
}

const claimed = async (code: string): Promise<LoginClaim> => (await judged(code))();

/** As a login does, without what it counts. */
const settled = async ({ keys, decide }: LoginClaim): Promise<LoginAttemptOutcome> =>
  fixture.ports.store.commit({
    durable: keys,
    decide: (found) => {
      const outcome = decide(found);
      return { result: outcome, values: outcome.values, claims: outcome.claims };
    },
  });

const decided = async (claim: LoginClaim): Promise<string> => {
  const { ending } = await settled(claim);
  return typeof ending === 'string' ? ending : ending.text;
};

describe('what is on record of a login', () => {
  it('is in the log as in the event log when its lock and its tokens could not be released', async () => {
    const call = callFrom('192.0.2.7');
    await fixture.call('Set_User_Settings', { dn: dn.toString(), settings: { 'Otp.LoginMode': 'LDAP' } });
    const request = { username: 'alice' };
    const { password } = fixture.users.alice;
    expect(await login({ ...request, password }, call)).toMatchObject({ kind: 'granted' });
    isDown = true;
    const wrong = login({ ...request, password: 'wrong' }, call);
    expect(await wrong).toMatchObject({ kind: 'refused' });
    expect(fixture.countEvents('refused: wrong password')).toBe(1);
    const lines = fixture.log.lines.filter(({ message }) => message.includes('refused: wrong password'));
    expect(lines).toHaveLength(1);
  });
});

describe('a trusted caller that has passed on a hundred failures', () => {
  const hundred = (caller: string) =>
    fixture.ports.ephemeral.count(`calm:${caller}`, { by: 100, seconds: 600 });
  const oneMore = (caller: string) =>
    fixture.countEvents(`${caller} has passed on more than 100 failures in 10 minutes and names no source`);

  it('is told of by the next one at a web service, once', async () => {
    await hundred('address:192.0.2.7');
    const call = callFrom('192.0.2.7', { address: '192.0.2.7', trusted: true });
    for (let n = 0; n < 2; n += 1)
      expect(await login({ username: 'alice', password: 'wrong' }, call)).toMatchObject({ kind: 'refused' });
    expect(oneMore('address:192.0.2.7')).toBe(1);
  });

  it('is told of by the next one at the Manager, once', async () => {
    await hundred('in-process');
    const wrong = { username: fixture.admin.dn, password: 'wrong' };
    for (let n = 0; n < 2; n += 1)
      await expect(fixture.service.manager.login(wrong)).rejects.toThrow(ServiceError);
    expect(oneMore('in-process')).toBe(1);
  });
});

describe('of two logins that are under way at once', () => {
  it('one goes on with the challenge that both answer with one code of the entry; the other fails nothing', async () => {
    await write(tokenChanges(1, { type: 'HOTP', secret, state: { counter: 0 } }));
    const session = 'ABCDEFGHJKLMNPQR';
    await fixture.ports.store.put(challengeKey(session), Buffer.from('{}'), 60);
    const code = hotp(source, 0);
    const both = await Promise.all([judged(code, session), judged(code, session)]);
    const ended = [];
    for (const claim of await Promise.all(both.map((claim) => claim()))) ended.push(await decided(claim));
    expect(ended).toEqual(['granted by TOKEN', 'ended']);
  });

  it('ends the later answer to a challenge as without a session', async () => {
    const call = callFrom('192.0.2.7');
    const ended = { outcome: { ending: 'ended' }, reports: [], happened: [], unrecorded: [] };
    const limits = { commit: async () => ended } as never;
    const attempt = { loginContext: readContext({ username: 'alice' }, call) } as never;
    const committing = commit(failed('wrong code'), { attempt, admitted: {} as never }, { ...call, limits });
    await expect(committing).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('names both outcomes of a claim, as the limits count either', async () => {
    await write(tokenChanges(1, { type: 'TOTP', secret, state: { step: 0, drift: 0 } }));
    const { possible } = await claimed(totp(source, fixture.clock.now()));
    expect(possible.map(({ end }) => end)).toEqual(['granted', 'failed']);
  });

  it('counts the later one with the same code as a partial success', async () => {
    await write(tokenChanges(1, { type: 'TOTP', secret, state: { step: 0, drift: 0 } }));
    const code = totp(source, fixture.clock.now());
    const [first, second] = [await claimed(code), await claimed(code)];
    expect(await decided(first)).toBe('granted by TOKEN');
    expect(await settled(second)).toMatchObject({
      ending: { text: 'refused: another login was faster with the same code' },
      result: { end: 'failed', isPartialSuccess: true },
    });
  });

  it('each has its use of an emergency password, whichever is written down first', async () => {
    const start = fixture.clock.now();
    await write(emergencyChanges(emergencyOf('help-me-48', { start, end: start + 600_000, uses: 2 })));
    const first = await claimed('help-me-48');
    const second = await claimed('help-me-48');
    expect(await decided(second)).toBe('granted by EMERGENCY');
    expect(await decided(first)).toBe('granted by EMERGENCY');
    await expect(claimed('help-me-48')).rejects.toThrow('the code is wrong');
  });

  it('has the next use of an emergency password whose own was used before the entry was set back', async () => {
    const start = fixture.clock.now();
    const twice = emergencyChanges(emergencyOf('help-me-48', { start, end: start + 600_000, uses: 2 }));
    await write(twice);
    await fixture.call('Set_User_Settings', { dn: dn.toString(), settings: { 'Otp.LoginMode': 'OTP' } });
    meanwhile = async () => {
      expect(await decided(await claimed('help-me-48'))).toBe('granted by EMERGENCY');
      await write(twice);
    };
    const request = { username: 'alice', otp: 'help-me-48' };
    const call = callFrom('192.0.2.7');
    expect(await login(request, call)).toMatchObject({ kind: 'granted' });
    expect(await login(request, call)).toMatchObject({ kind: 'refused' });
  });

  it('passes over at once all uses of an emergency password from before the entry was set back', async () => {
    const start = fixture.clock.now();
    const thrice = emergencyChanges(emergencyOf('help-me-48', { start, end: start + 600_000, uses: 3 }));
    await write(thrice);
    await fixture.call('Set_User_Settings', { dn: dn.toString(), settings: { 'Otp.LoginMode': 'OTP' } });
    const logIn = () => login({ username: 'alice', otp: 'help-me-48' }, callFrom('192.0.2.7'));
    for (let n = 0; n < 2; n += 1) expect(await logIn()).toMatchObject({ kind: 'granted' });
    await write(thrice);
    looks = 0;
    expect(await logIn()).toMatchObject({ kind: 'granted' });
    expect(looks).toBe(1);
    expect(await logIn()).toMatchObject({ kind: 'refused' });
  });
});
