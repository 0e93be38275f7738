/** Hostile logins: by what a request may set, how often it comes, and what the entry holds. */
import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../administration/policy/caller.ts';
import { hotp } from '../../foundation/oath/hotp.ts';
import { totp } from '../../foundation/oath/totp.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import type { OperationCall } from '../context/call.ts';
import { otp } from './index.ts';
import { otpOperations } from './operations.ts';

const secret = Buffer.from('12345678901234567890');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };
const granted = { code: 1 };
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };

let fixture: Fixture;
let dn: string;
let password: string;
beforeEach(async () => {
  const closed = { settings: { 'Otp.EnableLogin': 'No' } };
  fixture = await openFixture({
    config: {
      limits: { login_failure_delay_ms: 0 },
      clients: { portal: {}, closed },
    },
  });
  ({ dn, password } = fixture.users.alice);
  await fixture.call('Activate_LDAP_Object', { dn });
});
afterEach(() => fixture.close());

type Row = 'otpNormalLogin' | 'otpChallenge';
type Request = Readonly<Record<string, string>>;
async function ask(row: Row, request: Request, caller: Caller = { address: '192.0.2.7', trusted: true }) {
  const transaction = { id: 'TESTTEST', client: `${caller.address}:1` };
  const call: OperationCall = { ...fixture.core, caller, transaction, application: otp, operation: row };
  const { run, refuse } = otpOperations[row];
  try {
    return await run(request, call);
  } catch (error) {
    return refuse(error);
  }
}

let logins = 0;
/** Each from an address of its own, where nothing else is said. */
const login = (request: Request = {}, caller?: Caller) => {
  logins += 1;
  return ask(
    'otpNormalLogin',
    { username: 'alice', source: `198.51.100.${logins % 250}`, ...request },
    caller,
  );
};
const right = (): Request => ({ ldapPassword: password, otpPassword: totp(source, fixture.clock.now()) });
/** A single factor, which opens nothing under a refusal: it is asked for the other one, or refused. */
const half = (): Request => ({ ldapPassword: password });
const asked = { code: 2 };
const wrong = { ldapPassword: 'wrong' };
const key = secret.toString('base64');
const giveTotp = (id = 1) => fixture.call('Otp.TOTP_Register', { dn, key, id });
/** Past the Manager, as who writes to the directory can. */
const writeSetting = (value: string) =>
  fixture.core.server.service.modify(Dn.parse(dn), [
    { operation: 'add', attribute: 'webadmsettings', values: [value] },
  ]);

describe('what a request sets', () => {
  beforeEach(() => giveTotp());

  it('gives nobody more guesses', async () => {
    for (let guess = 0; guess < 5; guess += 1) await login({ ...wrong, settings: 'MaxTries=1000000' });
    expect(await login({ ...half(), settings: 'MaxTries=1000000' })).toEqual(refused);
  });

  it('blocks nobody for longer', async () => {
    for (let guess = 0; guess < 5; guess += 1)
      await login({ ...wrong, settings: 'Otp.MaxTries=1,Otp.BlockTime=0' });
    expect(await login(half())).toEqual(refused);
    fixture.clock.advance(300_000);
    expect(await login(half())).toMatchObject(asked);
  });

  it('is ignored where it may not, and the log says what', async () => {
    const names = () => fixture.log.lines.flatMap(({ fields }) => fields.names ?? []);
    expect(await login({ ...right(), settings: 'Sesame=Open,MaxTries=99' })).toMatchObject(granted);
    expect(names()).toEqual(['Sesame', 'MaxTries']);
  });

  it('keeps no challenge for years', async () => {
    const asking = (settings: string) => login({ ldapPassword: password, settings });
    expect(await asking('ChallengeTimeout=86401')).toMatchObject({ code: 0, error: 'BadRequest' });
    expect(await asking('ChallengeTimeout=86400')).toMatchObject({ code: 2, timeout: 86_400 });
  });

  it('does not fill the event log', async () => {
    expect(await login({ ...wrong, client: 'x'.repeat(1025) })).toMatchObject({ error: 'BadRequest' });
    expect(await login({ ...wrong, source: `fe80::1%${'x'.repeat(1025)}` })).toMatchObject({
      error: 'ServerError',
    });
    await login({ ...wrong, client: 'x'.repeat(1024) });
    expect(fixture.events().filter(({ application }) => application === 'Otp')).toHaveLength(1);
  });
});

it('an IPv6 address is one, however it is written and whoever it is for', async () => {
  await giveTotp();
  const others = Array.from({ length: 20 }, (_, n) => String(n));
  for (const other of others) await login({ username: other, ...wrong, source: `2001:db8:1:2::${other}` });
  expect(await login({ ...half(), source: '2001:db8:1:2:0::7' })).toEqual(refused);
  expect(await login({ ...half(), source: '2001:db8:1:3::7' })).toMatchObject(asked);
});

describe('a block without an end', () => {
  beforeEach(async () => {
    await giveTotp();
    await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.BlockTime': '0' } });
  });

  it('takes failures that are not eight days apart', async () => {
    for (let guess = 0; guess < 4; guess += 1) await login(wrong);
    fixture.clock.advance(8 * 86_400_000);
    await login(wrong);
    expect(await login(half())).toMatchObject(asked);
    for (let guess = 0; guess < 4; guess += 1) {
      fixture.clock.advance(7 * 86_400_000);
      await login(wrong);
    }
    expect(await login(half())).toEqual(refused);
  });

  it('has no end', async () => {
    for (let guess = 0; guess < 5; guess += 1) await login(wrong);
    fixture.clock.advance(365 * 86_400_000);
    expect(await login(half())).toEqual(refused);
    expect(await login(right())).toMatchObject(granted);
    expect(await login(half())).toEqual(refused);
  });
});

describe('a secret that is registered twice', () => {
  it('has codes that are good once, whichever slot they come from', async () => {
    await giveTotp();
    await giveTotp(2);
    expect(await login(right())).toMatchObject(granted);
    expect(await login(right())).toEqual(refused);
  });

  it('counts from its own beginning as a token of another type', async () => {
    await giveTotp();
    expect(await login(right())).toMatchObject(granted);
    await fixture.call('Otp.HOTP_Register', { dn, key, counter: 0 });
    expect(await login({ ...right(), otpPassword: hotp(source, 0) })).toMatchObject(granted);
  });

  it('counts from its own beginning with time steps of another length', async () => {
    await giveTotp();
    expect(await login(right())).toMatchObject(granted);
    await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.TOTPTimeStep': '60' } });
    await fixture.call('Otp.TOTP_Register', { dn, key });
    expect(await login(right())).toEqual(refused);
    const otpPassword = totp({ ...source, period: 60 }, fixture.clock.now());
    expect(await login({ ...right(), otpPassword })).toMatchObject(granted);
  });

  it('does not begin again behind the last counter that there is', async () => {
    await fixture.call('Otp.HOTP_Register', { dn, key, counter: Number.MAX_SAFE_INTEGER });
    expect(await login({ ...right(), otpPassword: hotp(source, 0) })).toEqual(refused);
  });
});

describe('settings that others wrote on the entry', () => {
  beforeEach(() => giveTotp());

  it.each(['Otp.LoginMode=constructor', 'Otp.LoginMode=__proto__', 'Otp.LoginMode=ldap'])(
    '%s lets nobody in',
    async (setting) => {
      await writeSetting(setting);
      expect(await login(wrong)).toEqual(refused);
      expect(await login(right())).toEqual(refused);
    },
  );

  it.each(['Otp.EnableLogin=no', 'Otp.EnableLogin=0', 'Otp.EnableLogin=never'])(
    '%s closes the login',
    async (setting) => {
      await writeSetting(setting);
      expect(await login(right())).toEqual(refused);
    },
  );

  it.each([
    ['Otp.MaxTries=many', 'is not an integer from 1 to 1000000', 'the layer below', 5],
    ['Otp.MaxTries=0', 'is not an integer from 1 to 1000000', '1', 1],
    ['Otp.MaxTries=-7', 'is not an integer from 1 to 1000000', '1', 1],
  ])('%s shuts nobody out: what is nearest counts, and the log says whose it is, once', async (...row) => {
    const [setting, wrongWith, instead, tries] = row;
    await writeSetting(setting);
    expect(await login(right())).toMatchObject(granted);
    for (let guess = 0; guess < tries; guess += 1) expect(await login(wrong)).toEqual(refused);
    fixture.clock.advance(30_000);
    expect(await login(half())).toEqual(refused);
    const value = setting.split('=')[1];
    expect(fixture.log.lines.filter(({ fields }) => fields.value === value)).toMatchObject([
      {
        level: 'warn',
        message: `a setting on an entry cannot be used: Otp.MaxTries ${wrongWith}`,
        fields: { dn, instead },
      },
    ]);
  });

  it('windows and lengths that are too wide are the widest, and a moment that is none closes', async () => {
    await writeSetting('Otp.OTPLength=99');
    expect(await fixture.call('Get_User_Settings', { dn, settings: ['Otp.OTPLength'] })).toMatchObject({
      result: { 'Otp.OTPLength': '10' },
    });
    await writeSetting('Otp.TOTPTimeOffsetWindow=999999');
    expect(await login(right())).toMatchObject(granted);
    await writeSetting('Otp.ValidTo=tomorrow');
    fixture.clock.advance(30_000);
    expect(await login(right())).toEqual(refused);
    expect(fixture.log.lines).toContainEqual(
      expect.objectContaining({ fields: { dn, value: 'tomorrow', instead: 'as it is: it opens nothing' } }),
    );
  });
});

describe('a challenge', () => {
  beforeEach(() => giveTotp());

  const begin = async (caller?: Caller): Promise<Request> => {
    const asked = await login({ ldapPassword: password, client: 'portal' }, caller);
    const { otpPassword = '' } = right();
    return { username: 'alice', otpPassword, session: asked.code === 2 ? asked.session : '' };
  };

  it('ends with the access of its client', async () => {
    const answer = await begin();
    await fixture.call('Set_Client_Mode', { client: 'portal', mode: 3 });
    expect(await ask('otpChallenge', answer)).toEqual(refused);
    await fixture.call('Set_Client_Mode', { client: 'portal', mode: 0 });
    expect(await ask('otpChallenge', answer)).toMatchObject(granted);
  });

  it('stays under the policy that it began under, whoever passes the answer on', async () => {
    const answer = await begin({ address: '192.0.2.7', client: 'portal' });
    expect(await ask('otpChallenge', answer, { address: '192.0.2.8', client: 'closed' })).toMatchObject(
      granted,
    );
  });

  describe('that began with no password', () => {
    const mode = (LoginMode: string) =>
      fixture.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': LoginMode } });
    beforeEach(() => mode('OTP'));

    it('is no way in once the mode wants a password', async () => {
      const asked = await login();
      const session = asked.code === 2 ? asked.session : '';
      const { otpPassword = '' } = right();
      await mode('LDAPOTP');
      expect(await ask('otpChallenge', { username: 'alice', session, otpPassword })).toEqual(refused);
      await mode('OTP');
      expect(await ask('otpChallenge', { username: 'alice', session, otpPassword })).toMatchObject(granted);
    });

    it('is answered without a code as often as one likes, and the event log does not grow', async () => {
      const asked = await login();
      const session = asked.code === 2 ? asked.session : '';
      const before = fixture.events().length;
      for (let time = 0; time < 20; time += 1)
        expect(await ask('otpChallenge', { username: 'alice', session })).toEqual(refused);
      expect(fixture.events()).toHaveLength(before);
    });
  });
});
