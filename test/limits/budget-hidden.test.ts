/**
 * The directory budget shows nobody that a password is right which lets nobody in: a stranger who tries it, and
 * then spends the rest, is refused as soon as after a wrong one.
 *
 * Seen to fail with the guards taken out: in login/proof.ts, let `budgetSpent` be `tried.wrong`; in
 * doors/manager/identity/administrator.ts, let `budgetSpent` be `judged.wrong`.
 */
import { Dn } from '@watchword/core';
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { createWebServiceHandler } from '@watchword/server-ws';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addUser, dnOf, done } from '../login/people.ts';
import { somewhere } from './stage.ts';

const password = 'dave5-Pa55word';
const limits = { login_failure_delay_ms: 0, directory_failures: '3/30' };
const settings = { 'Otp.LoginMode': 'LDAP', 'Otp.MaxTries': '100000' };

let fixture: Fixture;
let dn: string;
beforeEach(async () => {
  fixture = await openFixture({ config: { limits, settings } });
  await addUser(fixture, 'dave', password);
  dn = dnOf(fixture, 'dave');
});
afterEach(() => fixture.close());

type Told = readonly [status: number, retryAfter: string | undefined, body: string];

async function atWebService(fields: object): Promise<Told> {
  const handler = createWebServiceHandler(fixture.service);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'dave', ...fields });
  const request = new Request('https://localhost:8443/otp/json/otpNormalLogin/', {
    ...{ method: 'POST', headers, body },
  });
  const answer = await handler(request, { ...somewhere(), port: 40_000 });
  return [answer.status, answer.headers.get('retry-after') ?? undefined, await answer.text()];
}

async function atManager({ ldapPassword }: { readonly ldapPassword: string }): Promise<Told> {
  const { status, headers, body } = await fixture.answer({
    as: { username: 'dave', password: ldapPassword },
    ...somewhere(),
    body: { jsonrpc: '2.0', id: 1, method: 'Server_Status' },
  });
  return [status, headers['retry-after'], JSON.stringify(body)];
}

interface Way {
  readonly ask: (fields: { readonly ldapPassword: string }) => Promise<Told>;
  /** Makes the right password one that lets nobody in. */
  readonly prepare: () => Promise<unknown>;
}

const wrongCode = { otpPassword: '000000' };

const ways: Readonly<Record<string, Way>> = {
  'that has to be changed': {
    ask: atWebService,
    prepare: () => done(fixture, 'Set_User_Password', { dn, password, change: true }),
  },
  'of an account that the directory has disabled': {
    ask: atWebService,
    prepare: () =>
      fixture.ports.directory.service.modify(Dn.parse(dn), [
        { operation: 'replace', attribute: 'pwdAccountLockedTime', values: ['000001010000Z'] },
      ]),
  },
  'behind a wrong code, where the mode ignores it and a token is closed': {
    ask: (fields) => atWebService({ ...fields, ...wrongCode }),
    prepare: async () => {
      await done(fixture, 'Set_User_Settings', { dn, settings: { 'Otp.LoginMode': 'OTP' } });
      await done(fixture, 'Otp.TOTP_Register', { dn, key: Buffer.alloc(20, 1).toString('base64') });
      for (let n = 0; n < 100; n += 1) await atWebService(wrongCode);
      const another = { dn, id: 2, key: Buffer.alloc(20, 2).toString('base64') };
      await done(fixture, 'Otp.TOTP_Register', another);
    },
  },
  'of whoever may not enter the Manager': { ask: atManager, prepare: async () => undefined },
};

/** Two wrong ones, what is to be found out, and what is answered then. */
async function spend({ ask }: Way, guess: string): Promise<readonly Told[]> {
  const results: Told[] = [];
  for (const ldapPassword of ['wrong 1', 'wrong 2', guess, 'wrong 3', 'wrong 4'])
    results.push(await ask({ ldapPassword }));
  fixture.clock.advance(30 * 60_000);
  return results;
}

it.each(Object.entries(ways))('a right password %s', async (_, way) => {
  await way.prepare();
  const afterWrong = await spend(way, 'wrong');
  expect(afterWrong.map(([, retryAfter]) => retryAfter)).toEqual([
    ...[undefined, undefined, undefined],
    ...['1800', '1800'],
  ]);
  expect(await spend(way, password)).toEqual(afterWrong);
});
