/** The login function over the embedded directory, in process. */
import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../administration/policy/caller.ts';
import type { OperationCall } from '../applications/context/call.ts';
import { otp } from '../applications/otp/index.ts';
import { otpOperations } from '../applications/otp/operations.ts';
import { codesOf, emergencyChanges, emergencyOf, listChanges, makeList } from '../authenticators/lists.ts';
import { tokenChanges } from '../authenticators/token-data.ts';
import { swapData } from '../directory/data/data.ts';
import { findEntryRef } from '../directory/data/user-data.ts';
import { hotp } from '../foundation/oath/hotp.ts';
import { totp } from '../foundation/oath/totp.ts';
import { Dn } from '../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { readOnlyService } from '../testing/read-only.ts';

const secret = Buffer.from('12345678901234567890');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };
const granted = {
  code: 1,
  error: '',
  message: 'Authentication success',
  username: 'alice',
  domain: 'Default',
  data: '',
  concat: 0,
};
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };

let fixture: Fixture;
let dn: Dn;
let password: string;
beforeEach(async () => {
  fixture = await openFixture({
    config: {
      limits: { login_failure_delay_ms: 0 },
      clients: { portal: { allowed_options: ['-LDAP'] } },
    },
  });
  dn = Dn.parse(fixture.users.alice.dn);
  password = fixture.users.alice.password;
  await fixture.call('Activate_LDAP_Object', { dn: dn.toString() });
});
afterEach(() => fixture.close());

type Row = 'otpSimpleLogin' | 'otpNormalLogin' | 'otpLogin' | 'otpChallenge';
type Answer = Awaited<ReturnType<(typeof otpOperations)['otpNormalLogin']['run']>>;
async function ask(streak: Row, request: Record<string, string>, doorway: Doorway = {}): Promise<Answer> {
  const { node = fixture, application = otp } = doorway;
  const { caller = { address: '192.0.2.7', trusted: true, choosesPolicy: true } } = doorway;
  const call: OperationCall = {
    ...node.core,
    caller,
    transaction: { id: 'TESTTEST', client: '192.0.2.7:1' },
    application,
    operation: streak,
  };
  const { run, refuse } = otpOperations[streak];
  try {
    return await run(request, call);
  } catch (error) {
    return refuse(error);
  }
}

interface Doorway {
  readonly node?: Fixture;
  readonly caller?: Caller;
  /** Whose operation asks. */
  readonly application?: OperationCall['application'];
}

const sessionOf = (answer: Answer): string => (answer.code === 2 ? answer.session : '');

const write = async (changes: ReadonlyMap<string, Uint8Array | null>) => {
  const view = fixture.core;
  await swapData(await findEntryRef(dn, view), () => changes, view);
};
const giveTotp = (slot = 1) =>
  write(tokenChanges(slot, { type: 'TOTP', secret, state: { step: 0, drift: 0 } }));
const giveHotp = () => write(tokenChanges(1, { type: 'HOTP', secret, state: { counter: 0 } }));
const set = (settings: Record<string, string | null>) =>
  fixture.call('Set_User_Settings', { dn: dn.toString(), settings });
const code = () => totp(source, fixture.clock.now());
const normal = (more: Record<string, string> = {}) => ask('otpNormalLogin', { username: 'alice', ...more });
const simple = (anyPassword: string, more = {}) =>
  ask('otpSimpleLogin', { username: 'alice', anyPassword, ...more });

describe('a login with password and token', () => {
  beforeEach(() => giveTotp());

  it.each(['123 456', '1 2 3 4 5 6', '12\t3456'])(
    'takes a code as apps show it, %j, in one text with the password and in a field of its own',
    async (shown) => {
      const typed = () => {
        const digits = Array.from(code());
        return shown.replace(/\d/g, () => digits.shift() ?? '');
      };
      expect(await simple(password + typed())).toEqual({ ...granted, concat: shown.length });
      fixture.clock.advance(30_000);
      expect(await normal({ ldapPassword: password, otpPassword: typed() })).toEqual(granted);
      expect(await simple(password + typed()), 'used').toEqual(refused);
    },
  );

  it('succeeds with both, and with the same code not again', async () => {
    const both = { ldapPassword: password, otpPassword: code() };
    expect(await normal(both)).toEqual(granted);
    expect(await normal(both)).toEqual(refused);
  });

  it('asks for the code, and answers the challenge once', async () => {
    const asked = await normal({ ldapPassword: password });
    expect(asked).toEqual({
      ...{ code: 2, error: '', message: 'Enter your TOKEN password', timeout: 90, otpChallenge: 'TOKEN' },
      session: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
    });
    const answer = { username: 'alice', session: sessionOf(asked), otpPassword: code() };
    expect(await ask('otpChallenge', { ...answer, username: 'bob' })).toEqual(refused);
    expect(await ask('otpChallenge', { ...answer, otpPassword: '000000' })).toEqual(refused);
    expect(await ask('otpChallenge', { ...answer, username: 'Default\\ALICE' })).toEqual(granted);
    expect(await ask('otpChallenge', answer)).toMatchObject({ code: 0, error: 'NoSession' });
  });

  it('fails with a wrong password at once, and with a wrong code without a challenge', async () => {
    expect(await normal({ ldapPassword: 'wrong' })).toEqual(refused);
    expect(await normal({ ldapPassword: 'wrong', otpPassword: code() })).toEqual(refused);
    expect(await normal({ ldapPassword: password, otpPassword: '000000' })).toEqual(refused);
    expect(await normal({})).toEqual(refused);
  });

  it('tells the event log, and nobody else, that a right password has to be changed first', async () => {
    await fixture.call('Set_User_Password', { dn: dn.toString(), password: 'Sunday-7-boats', change: true });
    const outcomeOf = async (answer: Promise<Answer>) => {
      expect(await answer).toEqual(refused);
      const [event] = await fixture.core.events.list({ application: 'Otp', max: 1 });
      return event?.text.replace(/^.*: refused: /, '');
    };
    const why = 'the password has to be changed first';
    expect(await outcomeOf(normal({ ldapPassword: 'Sunday-7-boats', otpPassword: code() }))).toBe(why);
    expect(await outcomeOf(simple(`Sunday-7-boats${code()}`))).toBe(why);
    expect(await outcomeOf(normal({ ldapPassword: 'Sunday-8-boats' }))).toBe('wrong password');
  });

  it('refuses the answer of a user whom the domain has shut out meanwhile', async () => {
    const excluded = `cn=shut out,ou=groups,${fixture.base}`;
    const member = [fixture.users.bob.dn];
    await fixture.call('Create_LDAP_Object', {
      dn: excluded,
      attrs: { objectclass: 'groupOfNames', member },
    });
    const domains = { Default: { base: fixture.base, excluded_groups: [excluded] } };
    const node = await fixture.another({ config: { limits: { login_failure_delay_ms: 0 }, domains } });
    const named = { username: 'alice' };
    const asked = await ask('otpNormalLogin', { ...named, ldapPassword: password }, { node });
    await fixture.call('Set_User_Attrs', { dn: excluded, attrs: { member: [dn.toString()] }, values: true });
    const answer = { ...named, session: sessionOf(asked), otpPassword: code() };
    expect(await ask('otpChallenge', answer, { node })).toEqual(refused);
    await fixture.call('Remove_User_Attrs', {
      dn: excluded,
      attrs: { member: [dn.toString()] },
      values: true,
    });
    expect(await ask('otpChallenge', answer, { node })).toEqual(granted);
    await node.close();
  });

  it('tells malformed sessions, and those that have ended', async () => {
    const answer = (session: string) =>
      ask('otpChallenge', { username: 'alice', session, otpPassword: '123456' });
    expect(await answer('short')).toMatchObject({
      code: 0,
      error: 'BadRequest',
      message: 'Invalid authentication request',
    });
    expect(await answer('A'.repeat(16))).toMatchObject({
      error: 'NoSession',
      message: 'Session not started or timedout',
    });
    const asked = await normal({ ldapPassword: password });
    fixture.clock.advance(91_000);
    expect(await answer(sessionOf(asked))).toMatchObject({ error: 'NoSession' });
  });

  it('reads one text that holds both', async () => {
    expect(await simple(password + code())).toEqual({ ...granted, concat: 6 });
    expect(await simple(password)).toMatchObject({ code: 2 });
    expect(await simple(`${password}000000`)).toEqual(refused);
    expect(await simple(`${password}000 000`)).toEqual(refused);
    expect(await simple('')).toEqual(refused);
  });

  it('does not know who is not there, not active, switched off or out of time', async () => {
    const right = () => ({ ldapPassword: password, otpPassword: code() });
    expect(await ask('otpNormalLogin', { username: 'nobody', ...right() })).toEqual(refused);
    expect(await normal({ ...right(), domain: 'Nowhere' })).toEqual(refused);
    await set({ 'Otp.EnableLogin': 'No' });
    expect(await normal(right())).toEqual(refused);
    await set({ 'Otp.EnableLogin': 'Yes', 'Otp.ValidTo': '2000-01-01 00:00:00' });
    expect(await normal(right())).toEqual(refused);
    await set({ 'Otp.ValidTo': null });
    await fixture.core.server.service.modify(dn, [
      { operation: 'add', attribute: 'webadmsettings', values: ['Otp.ValidTo=nonsense'] },
    ]);
    expect(await normal(right())).toEqual(refused);
    await fixture.call('Set_User_Settings', { dn: dn.toString(), settings: { 'Otp.ValidTo': null } });
    expect(await normal(right())).toEqual(granted);
  });

  it('goes by the login mode, which the request may set', async () => {
    expect(
      await normal({ ldapPassword: password, otpPassword: 'ignored', settings: 'LoginMode=LDAP' }),
    ).toEqual(granted);
    expect(
      await normal({ ldapPassword: 'ignored', otpPassword: code(), settings: 'Otp.LoginMode=OTP' }),
    ).toEqual(granted);
    expect(await simple('', { settings: 'LoginMode=OTP' })).toMatchObject({ code: 2 });
    expect(await normal({ ldapPassword: password, settings: 'LoginMode=Nonsense' })).toMatchObject({
      error: 'BadRequest',
    });
    expect(await normal({ ldapPassword: password, source: 'nowhere' })).toMatchObject({
      error: 'ServerError',
    });
  });

  it('leaves the password out only where the client policy allows it', async () => {
    expect(await normal({ otpPassword: code(), options: '-LDAP' })).toEqual(refused);
    expect(await normal({ otpPassword: code(), options: '-LDAP,SOMETHING', client: 'portal' })).toEqual(
      granted,
    );
  });

  it('takes a DN where the option says so, and DOMAIN\\user', async () => {
    const named = { username: dn.toString(), options: 'LDAPDN', ldapPassword: password };
    expect(await ask('otpNormalLogin', { ...named, otpPassword: code() })).toEqual(granted);
    expect(await ask('otpNormalLogin', { ...named, options: '' })).toEqual(refused);
    expect(await normal({ username: 'default\\alice', ldapPassword: password })).toMatchObject({ code: 2 });
    expect(await normal({ username: 'other\\alice', ldapPassword: password })).toEqual(refused);
  });
});

describe('a login name with its domain', () => {
  const base = 'dc=example,dc=org';
  let node: Fixture;
  beforeEach(async () => {
    await giveTotp();
    node = await fixture.another({
      config: {
        limits: { login_failure_delay_ms: 0 },
        domains: {
          Default: { base, aliases: ['EXAMPLE', 'example.org'], login_attributes: ['uid', 'mail'] },
          Empty: { base: `ou=none,${base}`, aliases: ['none.org'] },
        },
      },
    });
    await node.call('Create_LDAP_Object', {
      dn: `ou=none,${base}`,
      attrs: { objectclass: 'organizationalUnit' },
    });
  });
  afterEach(() => node.close());
  const logIn = (username: string, domain?: string) =>
    ask('otpNormalLogin', { username, ldapPassword: password, ...(domain && { domain }) }, { node });
  const asked = expect.objectContaining({ code: 2 });

  it.each([
    ['alice@default', undefined, asked],
    ['alice@EXAMPLE', undefined, asked],
    ['example\\alice', undefined, asked],
    ['example.org\\alice', undefined, asked],
    ['alice', 'Example.Org', asked],
    ['alice@example.org', 'example', asked],
    ['example\\alice', 'default', asked],
    ['alice@none.org', undefined, refused],
    ['alice@none.org', 'Default', refused],
    ['none.org\\alice', undefined, refused],
    ['example\\alice', 'Empty', refused],
    ['alice@example.org', 'Empty', refused],
    ['alice@elsewhere.org', undefined, refused],
  ])('judges %j with the domain %j', async (username, domain, answer) => {
    expect(await logIn(username, domain)).toEqual(answer);
  });

  it('finds an address that is no account with its domain, in the field of another domain too', async () => {
    await fixture.call('Set_User_Attrs', { dn: dn.format(), attrs: { mail: 'a.l@none.org' } });
    expect(await logIn('a.l@none.org', 'Default')).toEqual(asked);
    await fixture.call('Set_User_Attrs', { dn: dn.format(), attrs: { mail: 'a.l@example.org' } });
    expect(await logIn('a.l@example.org')).toEqual(asked);
  });

  it('finds nobody by an address that is the account of one and the login name of another', async () => {
    const { bob } = fixture.users;
    await fixture.call('Set_User_Attrs', { dn: bob.dn, attrs: { mail: 'alice@example.org' } });
    await fixture.call('Set_User_Attrs', { dn: dn.format(), attrs: { mail: 'a@example.org' } });
    expect(await logIn('alice@example.org')).toEqual(refused);
    expect(await logIn('alice')).toEqual(asked);
  });

  it('names in the log what was typed, and the account of another in no case', async () => {
    await fixture.call('Set_User_Attrs', { dn: dn.format(), attrs: { mail: 'bob.b@example.org' } });
    expect(await logIn('bob.b@example.org')).toEqual(asked);
    expect(node.events().at(-1)).toMatchObject({
      dn: dn.format(),
      text: expect.stringContaining('Login of "Default\\\\bob.b@example.org"'),
    });
  });

  it('counts the failures of a name that nobody has in one place, however it is written', async () => {
    for (const username of ['nobody', 'nobody@example.org', 'EXAMPLE\\nobody']) await logIn(username);
    expect(node.events().at(-1)).toMatchObject({ text: expect.stringContaining('no such user'), count: 3 });
  });
});

describe('a directory that the service may not write', () => {
  const message = 'the state of a one-time password could not be written';
  let node: Fixture;
  beforeEach(async () => {
    node = await fixture.another({
      config: { limits: { login_failure_delay_ms: 0 } },
      ports: ({ directory }) => ({ directory: readOnlyService(directory) }),
    });
  });
  afterEach(() => node.close());
  const logIn = (otpPassword: string, at = node) =>
    ask('otpNormalLogin', { username: 'alice', ldapPassword: password, otpPassword }, { node: at });

  it('takes a TOTP code all the same, and says in the log that the drift is not kept', async () => {
    await giveTotp();
    expect(await logIn(totp(source, fixture.clock.now() + 60_000))).toEqual(granted);
    expect(node.log.lines).toContainEqual(expect.objectContaining({ level: 'warn', message }));
  });

  it.each<[string, () => Promise<string>]>([
    [
      'a HOTP code',
      async () => {
        await giveHotp();
        return hotp(source, 0);
      },
    ],
    [
      'a code of a list',
      async () => {
        const list = makeList({ digits: 6, size: 5, secretLength: 20 }, fixture.core.random);
        await write(listChanges(list));
        await set({ 'Otp.OTPType': 'LIST' });
        return codesOf(list)[2] ?? '';
      },
    ],
    [
      'an emergency password',
      async () => {
        const start = fixture.clock.now();
        await write(emergencyChanges(emergencyOf('help-me-48', { start, end: start + 600_000, uses: 1 })));
        return 'help-me-48';
      },
    ],
  ])('does not use %s up, says whose it is and what to do, and blames nobody', async (_, give) => {
    const code = await give();
    const why = ': refused: right, but the state ';
    const before = fixture.countEvents(why);
    for (let n = 0; n < 6; n += 1) expect(await logIn(code)).toMatchObject({ error: 'ServerError' });
    expect(node.log.lines.find((line) => line.message === message)).toMatchObject({
      level: 'error',
      fields: {
        dn: dn.format(),
        attribute: 'webadmData',
        bind_dn: `cn=service,${fixture.base}`,
        cure: expect.stringMatching(
          /^give cn=service,\S+ write access to webadmData below dc=example,dc=org; see /,
        ),
      },
    });
    expect(fixture.countEvents(why) - before).toBe(6);
    expect(fixture.events().at(-1)).toMatchObject({ dn: dn.format(), text: expect.stringContaining(why) });
    expect(await logIn(code, fixture)).toEqual(granted);
    expect(await logIn(code, fixture)).toEqual(refused);
  });
});

describe('the log of a login', () => {
  const fieldsOf = async (request: Record<string, string>, streak: Row = 'otpNormalLogin') => {
    fixture.log.lines.splice(0);
    await ask(streak, { username: 'alice', client: 'portal', source: '198.51.100.7', ...request });
    expect(fixture.log.lines).toHaveLength(1);
    return fixture.log.lines[0]?.fields;
  };
  const always = () => ({
    ...{ transaction: 'TESTTEST', audit: true, client: '192.0.2.7:1', source: '198.51.100.7' },
    ...{ user: 'Default\\alice', dn: dn.format(), operation: 'otpNormalLogin' },
    milliseconds: expect.any(Number),
  });

  it('is one line with fields: who, what, from where, how it ended and why', async () => {
    await giveTotp();
    const otpPassword = totp(source, fixture.clock.now());
    const wrong = { ldapPassword: password, otpPassword: '000000' };
    expect(await fieldsOf({ ldapPassword: 'Hunter2' })).toEqual({
      ...always(),
      ...{ outcome: 'refused', reason: 'wrong password' },
    });
    expect(await fieldsOf(wrong)).toMatchObject({
      ...{ outcome: 'refused', reason: expect.stringContaining('wrong code') },
    });
    expect(await fieldsOf({ ldapPassword: password })).toEqual({ ...always(), outcome: 'challenge' });
    const granted = await fieldsOf({ ldapPassword: password, otpPassword });
    expect(granted).toEqual({ ...always(), outcome: 'granted' });
    const nobody = await fieldsOf({ username: 'nobody', ldapPassword: 'Hunter2' });
    expect(nobody).toMatchObject({
      user: expect.stringMatching(/^Default\\#[0-9a-f]{16}$/),
      outcome: 'refused',
    });
    expect(nobody).not.toHaveProperty('dn');
  });

  it('tells what a stranger says of its users as such', async () => {
    fixture.log.lines.splice(0);
    const request = { username: 'alice', ldapPassword: 'wrong', source: '198.51.100.7' };
    await ask('otpNormalLogin', request, { caller: { address: '192.0.2.7' } });
    expect(fixture.log.lines[0]?.fields).toMatchObject({ claimedSource: '198.51.100.7' });
    expect(fixture.log.lines[0]?.fields).not.toHaveProperty('source');
    expect(fixture.events().at(-1)).not.toHaveProperty('source');
    expect(fixture.events().at(-1)?.text).toBe(
      'Login of "Default\\\\alice" at "192.0.2.7", claimed source 198.51.100.7: refused: wrong password',
    );
  });
});

describe('an entry that was set back', () => {
  it('opens no code again', async () => {
    const list = makeList({ digits: 6, size: 5, secretLength: 20 }, fixture.core.random);
    const [start, end] = [fixture.clock.now(), fixture.clock.now() + 600_000];
    const codes: readonly [string, () => Promise<unknown>][] = [
      [hotp(source, 7), giveHotp],
      [
        codesOf(list)[2] ?? '',
        async () => {
          await set({ 'Otp.OTPType': 'LIST' });
          await write(listChanges(list));
        },
      ],
      ['help-me-48', () => write(emergencyChanges(emergencyOf('help-me-48', { start, end, uses: 1 })))],
    ];
    for (const [otpPassword, setBack] of codes) {
      const logIn = async () => {
        await setBack();
        return normal({ ldapPassword: password, otpPassword });
      };
      expect([await logIn(), await logIn()]).toEqual([granted, refused]);
    }
  });
});

describe('other codes', () => {
  it('HOTP moves the counter on the entry, and codes behind it are gone', async () => {
    await giveHotp();
    const at = (counter: number) => normal({ ldapPassword: password, otpPassword: hotp(source, counter) });
    expect(await at(3)).toEqual(granted);
    const { result } = await fixture.call('Get_User_Data', { dn: dn.toString(), data: ['Otp.TokenState'] });
    expect(result).toEqual({ 'Otp.TokenState': Buffer.from('4').toString('base64') });
    expect([await at(3), await at(2), await at(40)]).toEqual([refused, refused, refused]);
    expect(await at(4)).toEqual(granted);
  });

  it('a list is asked for by its name, each code good once in any order', async () => {
    const list = makeList({ digits: 6, size: 5, secretLength: 20 }, fixture.core.random);
    await write(listChanges(list));
    await set({ 'Otp.OTPType': 'LIST' });
    expect(await normal({ ldapPassword: password })).toMatchObject({ message: 'Enter your LIST password' });
    const [first = '', second = '', third = ''] = codesOf(list);
    const use = (otpPassword: string) => normal({ ldapPassword: password, otpPassword });
    expect([await use(third), await use(first), await use(third), await use(second)]).toEqual([
      granted,
      granted,
      refused,
      granted,
    ]);
  });

  it('an emergency one is accepted wherever a code is, while it is in force and as often as it may', async () => {
    const now = fixture.clock.now();
    await write(emergencyChanges(emergencyOf('help-me-48', { start: now, end: now + 600_000, uses: 2 })));
    expect(await normal({ ldapPassword: password })).toMatchObject({
      message: 'Enter your EMERGENCY password',
      otpChallenge: 'EMERG',
    });
    expect(await simple(`${password}help-me-48`)).toEqual({ ...granted, concat: 10 });
    await giveTotp();
    expect(await normal({ ldapPassword: password, otpPassword: code() })).toEqual(granted);
    const use = () => normal({ ldapPassword: password, otpPassword: 'help-me-48' });
    expect([await use(), await use()]).toEqual([granted, refused]);
  });

  it('the fallback steps in where there is nothing of the first kind', async () => {
    const list = makeList({ digits: 6, size: 5, secretLength: 20 }, fixture.core.random);
    expect(await normal({ ldapPassword: password })).toEqual(refused);
    await write(listChanges(list));
    expect(await normal({ ldapPassword: password })).toEqual(refused);
    await set({ 'Otp.OTPFallback': 'LIST' });
    expect(await normal({ ldapPassword: password })).toMatchObject({ otpChallenge: 'LIST' });
    await giveTotp();
    expect(await normal({ ldapPassword: password })).toMatchObject({ otpChallenge: 'TOKEN' });
  });
});

it('the challenge of one web service is none of another', async () => {
  await fixture.call('Otp.TOTP_Register', { dn: dn.toString(), key: secret.toString('base64') });
  const asked = await ask('otpNormalLogin', { username: 'alice', ldapPassword: password });
  const code = totp(source, fixture.clock.now());
  const answer = { username: 'alice', session: sessionOf(asked), otpPassword: code };
  const another = { application: { ...otp, service: 'sshkey' } };
  expect(await ask('otpChallenge', answer, another)).toMatchObject({ code: 0, error: 'NoSession' });
  expect(await ask('otpChallenge', answer)).toEqual(granted);
});
