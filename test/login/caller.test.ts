/**
 * Calling systems and those behind them (docs/concepts/callers-and-sources.md): one that is known answers for none of its users, an address
 * that is not gets nothing back by a success, and the Manager's addresses are others.
 *
 * The guard: in limits/source.ts, `sourceOf` gives no bucket to a caller that reports no source.
 */
import { type Fixture, type FixtureOptions, openFixture } from '@watchword/core/testing/bed';
import { afterEach, describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import { addUser, codeNow, give, token } from './people.ts';
import { granted, refused } from './rows/row.ts';

const password = 'everyones-Pa55word';
type Config = NonNullable<FixtureOptions['config']>;

let fixture: Fixture;
afterEach(() => fixture.close());

async function open(config: Config, users: number): Promise<void> {
  fixture = await openFixture({ config: { limits: { login_failure_delay_ms: 0 }, ...config } });
  for (let user = 0; user < users; user += 1) await addUser(fixture, `user${user}`, password);
}

const known = { trusted_callers: ['192.0.2.0/24'] };
const onlyPassword = { settings: { 'Otp.LoginMode': 'LDAP' } };

describe.each(Object.entries(doors))('over %s', (name, openDoor) => {
  const ask = (fields: Readonly<Record<string, string>>) => openDoor(fixture.service)('normalLogin', fields);

  it('a known one without source has no right login refused', async () => {
    await open({ ...onlyPassword, ...known }, 5);
    // A bucket of its own would be empty after 20, for users who have logged in nowhere yet.
    for (let n = 0; n < 40; n += 1) await ask({ username: `nobody${n}`, ldapPassword: 'wrong' });
    for (let user = 0; user < 5; user += 1)
      expect(await ask({ username: `user${user}`, ldapPassword: password })).toEqual(granted);
  });

  it('its users are counted each by source and by name', async () => {
    await open({ ...onlyPassword, ...known }, 2);
    const from = (source: string, username: string, ldapPassword: string) =>
      ask({ username, ldapPassword, source });
    for (let n = 0; n < 20; n += 1) await from('198.51.100.1', `nobody${n}`, 'wrong');
    expect(await from('198.51.100.1', 'user0', password)).toEqual(refused);
    expect(await from('198.51.100.2', 'user0', password)).toEqual(granted);
    for (let n = 0; n < 5; n += 1) await from(`198.51.100.${n + 10}`, 'user1', 'wrong');
    expect(await from('198.51.100.2', 'user1', password)).toEqual(refused);
  });

  it('its own address and loopback are no source', async () => {
    await open({ ...onlyPassword, ...known }, 1);
    const sources = name === 'in process' ? ['127.0.0.1', '::1'] : ['127.0.0.1', '192.0.2.1', '::1'];
    for (const source of sources) {
      for (let n = 0; n < 25; n += 1) await ask({ username: `${n}${source}`, ldapPassword: 'wrong', source });
      expect(await ask({ username: 'user0', ldapPassword: password, source })).toEqual(granted);
    }
  });

  it('a full success ends the failures in a row, and restores no allowance', async () => {
    await open(
      {
        ...known,
        request_settings: ['192.0.2.0/24'],
        clients: { vpn: { settings: { 'Otp.LoginMode': 'LDAP' } } },
      },
      1,
    );
    await give(fixture, 'user0', token('TOTP'));
    const username = 'user0';
    const right = () => {
      fixture.clock.advance(30_000);
      return ask({ username, ldapPassword: password, otpPassword: codeNow(fixture) });
    };
    const times = async (count: number, fields: Readonly<Record<string, string>>) => {
      for (let n = 0; n < count; n += 1) await ask({ username, ...fields });
    };
    expect(await right()).toEqual(granted);
    for (let round = 0; round < 2; round += 1) {
      await times(4, { ldapPassword: 'wrong' });
      expect(await right()).toEqual(granted);
      await times(4, { ldapPassword: password, otpPassword: '000000' });
      expect(await ask({ username, ldapPassword: password, client: 'vpn' })).toEqual(granted);
    }
    await times(1, { ldapPassword: password, otpPassword: '000000' });
    expect(await right()).toEqual(granted);
    await times(1, { ldapPassword: password, otpPassword: '000000' });
    expect(await right()).toEqual(refused);
    fixture.clock.advance(86_400_000);
    expect(await right()).toEqual(granted);
  });
});

it('a stranger with an account of his own gets no guesses back by it', async () => {
  await open(onlyPassword, 2);
  const ask = doors['REST, POST of JSON']?.(fixture.service);
  const fail = async (count: number) => {
    for (let n = 0; n < count; n += 1)
      await ask?.('normalLogin', { username: `nobody${n}`, ldapPassword: 'x' });
  };
  const logIn = (username: string) => ask?.('normalLogin', { username, ldapPassword: password });
  await fail(19);
  expect(await logIn('user0')).toEqual(granted);
  await fail(1);
  expect([await logIn('user1'), await logIn('user0')]).toEqual([refused, granted]);
});

it('an administrator’s wrong passwords are forgotten when the right one comes', async () => {
  await open({ limits: { login_failure_delay_ms: 0, user_failures: 3 } }, 0);
  const wrong = { ...fixture.admin, password: 'wrong' };
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 2; n += 1) await fixture.answer({ as: wrong });
    expect(await fixture.call('Get_Random_Bytes', { length: 1 })).toHaveProperty('result');
  }
});

it('what happens at the web services keeps nobody out of the Manager, and the reverse', async () => {
  await open(onlyPassword, 1);
  const ask = doors['REST, POST of JSON']?.(fixture.service);
  for (let n = 0; n < 20; n += 1) await ask?.('normalLogin', { username: `nobody${n}`, ldapPassword: 'x' });
  expect(await ask?.('normalLogin', { username: 'user0', ldapPassword: password })).toEqual(refused);
  const as = { username: 'nobody', password: 'x' };
  const tryManager = async () => (await fixture.call('Get_Random_Bytes', { length: 1 }, { as })).error;
  expect(await tryManager()).toMatchObject({ reason: 'credentials_refused' });
  fixture.clock.advance(61_000);
  for (let n = 0; n < 20; n += 1) await fixture.answer({ as: { ...as, username: `nobody${n}` } });
  expect(await tryManager()).toMatchObject({ reason: 'too_many_attempts' });
  expect(await ask?.('normalLogin', { username: 'user0', ldapPassword: password })).toEqual(granted);
});
