/** Logins with codes of one token that are verified in one order and committed in another: its state never goes back. */
import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationCall, RowView } from '../applications/context/call.ts';
import { otp } from '../applications/otp/index.ts';
import { hotp } from '../foundation/oath/hotp.ts';
import { totp } from '../foundation/oath/totp.ts';
import type { Account } from '../login/account.ts';
import { findAccount } from '../login/account-lookup.ts';
import { readContext } from '../login/context.ts';
import { isFree } from '../ports/store/ledger.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import type { AuthenticatorOwner, RightCode } from './authenticator.ts';
import { type NoClaim, noteDrift, prepareClaim } from './code-claim.ts';
import { findCode } from './code-verification.ts';
import { disableToken } from './disabled-token.ts';
import { type StateWrite, tokenUse } from './entry-state.ts';
import { dataOf, hotpToken, totpToken } from './testing/owner.ts';
import { tokenChanges } from './token-data.ts';
import { knownCodesKeys, readKnown } from './user-authenticators.ts';

const secret = Buffer.from('12345678901234567890');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };
const key = secret.toString('base64');

let fixture: Fixture;
let elsewhere: Fixture;
let dn: string;
beforeEach(async () => {
  [fixture, elsewhere] = await Promise.all([openFixture(), openFixture()]);
  ({ dn } = fixture.users.alice);
  await fixture.call('Activate_LDAP_Object', { dn });
});
afterEach(async () => {
  await fixture.close();
  await elsewhere.close();
});

/** Nodes on one directory: with the store of the installation, or with one of its own. */
const nodes = {
  'the same store': () => viewOf(fixture),
  'a store of its own': () => viewOf(elsewhere),
};

function viewOf({ ports: { store } }: Fixture): RowView {
  return { ...fixture.core, store };
}

async function accountIn(view: RowView): Promise<Account> {
  const transaction = { id: 'TESTTEST', client: '192.0.2.7:1' };
  const caller = { address: '192.0.2.7' };
  const call: OperationCall = { ...view, caller, transaction, application: otp, operation: 'otpNormalLogin' };
  const { account } = await findAccount(readContext({ username: 'alice' }, call), view);
  if (!account) throw new Error('alice may not log in');
  return account;
}

/** Verifies a code, and leaves its claim to the caller. */
async function found(code: string, view: RowView) {
  const account = await accountIn(view);
  const [token] = account.authenticators;
  const known = await readKnown(knownCodesKeys(account), view.store);
  const right = token && findCode(code, token, account, { ...view, known });
  if (!right) throw new Error('the code is wrong');
  return { use: () => useCode(right, account, view) };
}

/** Claims a code as a login does, and counts nothing. */
async function useCode(
  right: RightCode,
  owner: AuthenticatorOwner,
  view: RowView,
): Promise<StateWrite | NoClaim> {
  const left = await prepareClaim(right, owner, view);
  if (typeof left === 'string') return left;
  const { claim } = left;
  const claims = claim ? [claim] : [];
  const isOurs = await view.store.commit({
    durable: claims.map(({ key: of }) => of),
    decide: (before) =>
      claims.every((one) => isFree(before, one)) ? { result: true, claims } : { result: false },
  });
  if (isOurs) await noteDrift(right, owner, view);
  return isOurs ? 'ours' : 'taken';
}

const state = async () => (await accountIn(viewOf(fixture))).tokens[0]?.state;

describe.each(Object.entries(nodes))('two commits out of order, the later one with %s', (_, other) => {
  it('leave the counter of a HOTP token where the higher code took it', async () => {
    await fixture.call('Otp.HOTP_Register', { dn, key, counter: 0 });
    const lower = await found(hotp(source, 3), other());
    const higher = await found(hotp(source, 5), viewOf(fixture));
    expect(await higher.use()).toBe('ours');
    expect(await lower.use()).toBe('taken');
    expect(await state()).toEqual({ counter: 6 });
    await expect(found(hotp(source, 5), other())).rejects.toThrow('the code is wrong');
  });

  it('let only one of two have the same code', async () => {
    await fixture.call('Otp.HOTP_Register', { dn, key, counter: 0 });
    const twice = [await found(hotp(source, 3), viewOf(fixture)), await found(hotp(source, 3), other())];
    expect(await twice[1]?.use()).toBe('ours');
    expect(await twice[0]?.use()).toBe('taken');
    expect(await state()).toEqual({ counter: 4 });
  });

  it('leave the step of a TOTP token where the newer code took it', async () => {
    await fixture.call('Otp.TOTP_Register', { dn, key });
    const now = fixture.clock.now();
    const older = await found(totp(source, now - 60_000), other());
    const newer = await found(totp(source, now + 60_000), viewOf(fixture));
    expect(await newer.use()).toBe('ours');
    const after = await state();
    expect(after).toMatchObject({ step: Math.floor(now / 30_000) + 2 });
    await older.use();
    expect(await state()).toEqual(after);
  });

  it('leave a token alone that was registered again in between', async () => {
    await fixture.call('Otp.HOTP_Register', { dn, key, counter: 0 });
    const former = await found(hotp(source, 3), other());
    const another = Buffer.from('a secret of others...').toString('base64');
    await fixture.call('Otp.HOTP_Register', { dn, key: another, counter: 0 });
    expect(await former.use()).toBe('taken');
    expect(await state()).toEqual({ counter: 0 });
  });
});

it('disables the token of too many wrong codes, and leaves one that has replaced it', async () => {
  await fixture.call('Otp.HOTP_Register', { dn, key, counter: 0 });
  const view = viewOf(fixture);
  const disable = async (account: Account) => {
    await disableToken(account, account.authenticators[0]?.key ?? '', view);
    return (await accountIn(view)).tokens.map(({ enabled }) => enabled);
  };
  const before = await accountIn(view);
  expect(await disable(before)).toEqual([false]);
  const another = Buffer.from('a secret of others...').toString('base64');
  await fixture.call('Otp.HOTP_Register', { dn, key: another, counter: 0 });
  expect(await disable(before)).toEqual([true]);
});

it('writes the state of a token only while the same token is in its slot', () => {
  const [first, second] = [hotpToken, { ...totpToken, slot: 2, state: { step: 8, drift: 0 } }];
  const stored = dataOf(
    ...[first, second].map(({ slot, type, secret, state }) => tokenChanges(slot, { type, secret, state })),
  );
  const counter = { type: 'HOTP', state: { counter: 7 } } as const;
  expect(tokenUse(stored, first, counter)).toEqual(tokenChanges(1, { state: counter.state }));
  expect(tokenUse(stored, second, { type: 'TOTP', state: { step: 9, drift: 0 } })).toEqual(
    tokenChanges(2, { state: { step: 9, drift: 0 } }),
  );
  expect(tokenUse(stored, { ...first, slot: 2 }, { ...counter, state: { counter: 9 } })).toEqual(new Map());
  expect(tokenUse(stored, { ...first, slot: 3 }, counter)).toEqual(new Map());
});
