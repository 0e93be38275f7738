/**
 * The directory budget (docs/concepts/limits.md#directory-budget): the directory sees no more wrong passwords of strangers.
 *
 * Seen to fail with the guard taken out: in login/passwords.ts, let `tryPasswords` throw every error as it is.
 */
import { ServiceError } from '@watchword/core';
import { openFixture } from '@watchword/core/testing/bed';
import { createWebServiceHandler } from '@watchword/server-ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addUser } from '../login/people.ts';
import { instead } from './nodes.ts';
import { granted, minute, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open({ limits: { login_failure_delay_ms: 0, directory_failures: '4/30' } });
});
afterEach(() => stage.close());

const wrongOnes = ({ dn }: User) => stage.nodes.binds.get(dn.toLowerCase())?.wrong ?? 0;
const wrong = (n: number) => ({ ldapPassword: `wrong ${n}`, otpPassword: '999999' });

describe('19. directory_failures 4/30', () => {
  it('binds at the directory are never above four in half an hour, however many ask at once', async () => {
    const user = await stage.user({ maxTries: 1000 });
    for (let round = 1; round < 4; round += 1) {
      await Promise.all(Array.from({ length: 60 }, (_, n) => stage.ask(somewhere(), user, wrong(n))));
      expect(wrongOnes(user)).toBe(4 * round);
      stage.pass(30 * minute);
    }
  });

  it('a text with several readings is bound no more often', async () => {
    const user = await stage.user({ maxTries: 1000 });
    for (let n = 0; n < 5; n += 1) await stage.text(somewhere(), user, `wrong and long ${n}`);
    expect(wrongOnes(user)).toBe(4);
  });

  it('strangers are refused then, with both right too; a known place is not', async () => {
    const [user, home] = [await stage.user({ maxTries: 1000 }), somewhere()];
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    await stage.times(4, user, { ldapPassword: 'wrong' });
    expect(await stage.ask(somewhere(), user, user.both())).toEqual(refused);
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    stage.pass(30 * minute);
    expect(await stage.ask(somewhere(), user, user.both())).toEqual(granted);
  });

  it('under a refusal it holds too', async () => {
    const user = await stage.user({ maxTries: 2 });
    for (let n = 0; n < 20; n += 1) {
      await stage.ask(somewhere(), user, wrong(n));
      stage.pass(2000);
    }
    expect(wrongOnes(user)).toBe(4);
  });
});

it.each([
  ['dave', 'wrong_password'],
  ['nobody', 'wrong_password'],
  // The right one of an account that lets nobody in.
  ['dave', 'account_expired'],
])('19. what it saw before it failed counts, of %s: %s', async (username, refusal) => {
  let seen = 0;
  const authenticate = async (_: unknown, password: string) => {
    if (password === 'wrong and ') throw new ServiceError('unavailable', { detail: 'it is down' });
    seen += 1;
    return { granted: false, refusal };
  };
  const fixture = await openFixture({
    config: { limits: { login_failure_delay_ms: 0, directory_failures: '4/30' } },
    ports: ({ directory }) => ({ directory: instead(directory, 'authenticate', authenticate) }),
  });
  await addUser(fixture, 'dave', 'dave-Pa55word');
  const handler = createWebServiceHandler(fixture.service);
  const errors: unknown[] = [];
  for (let n = 0; n < 6; n += 1) {
    const answer = await handler(
      new Request('https://localhost:8443/otp/json/otpSimpleLogin/', {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ username, anyPassword: 'wrong and 123456' }),
      }),
      { ...somewhere(), port: 40_000 },
    );
    errors.push(((await answer.json()) as { readonly error: unknown }).error);
  }
  await fixture.close();
  expect(errors).toEqual([...Array(3).fill('ServerError'), ...Array(3).fill('AuthFailed')]);
  expect(seen).toBe(4);
});
