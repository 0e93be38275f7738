/**
 * What was used stays used, and what was counted stays counted, wherever the same secret turns up again: claims follow
 * the secret.
 *
 * Seen to fail with the guards taken out: in authenticators/claim-keys.ts, put a random word in front of what is
 * digested; in authenticators/last-code.ts, let `forgetLastCode` do nothing.
 */
import { createHash, createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../node/src/machine/index.ts';
import { claimKey, emergencyKey, listClaimKey, tokenKey } from '../../authenticators/claim-keys.ts';
import { emergencyOf } from '../../authenticators/lists.ts';
import { hotp } from '../../foundation/oath/hotp.ts';
import { totp } from '../../foundation/oath/totp.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { KeyRing } from '../../ports/keys.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const secret = Buffer.from('a secret of 20 bytes');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };
const key = secret.toString('base64');
const password = 'P4ss-of-a-person';

let fixture: Fixture;
beforeEach(async () => {
  const settings = { 'Otp.MaxTries': '100000', 'Otp.OTPFallback': 'LIST' };
  fixture = await openFixture({ config: { settings, limits: { login_failure_delay_ms: 0 } } });
});
afterEach(() => fixture.close());

const dnOf = (username: string) => `uid=${username},ou=people,${fixture.base}`;

async function call(method: string, params: object): Promise<unknown> {
  const { result, error } = await fixture.call(method, params);
  if (error) throw new Error(`${method}: ${error.data}`);
  return result;
}

async function person(username: string): Promise<string> {
  const attrs = {
    objectclass: ['inetOrgPerson', 'webadmAccount'],
    ...{ cn: username, sn: username, userpassword: password },
  };
  await call('Create_LDAP_Object', { dn: dnOf(username), attrs });
  return dnOf(username);
}

const remove = (dn: string) => call('Remove_LDAP_Object', { dn });

async function logIn(username: string, otpPassword: string, more = {}): Promise<unknown> {
  const fields = { username, ldapPassword: password, otpPassword, ...more };
  return (await fixture.service.web.otp.normalLogin(fields)).code;
}

const now = () => fixture.clock.now();

interface Kind {
  /** Gives a user what has always the same secret. */
  give(dn: string, slot?: number): Promise<unknown>;
  /** A code, and one that may come after it. */
  codes(): readonly [string, string];
}

const data = (dn: string, values: Record<string, Uint8Array>) =>
  call('Set_User_Data', {
    dn,
    data: Object.fromEntries(
      Object.entries(values).map(([name, bytes]) => [`Otp.${name}`, Buffer.from(bytes).toString('base64')]),
    ),
  });

const kinds: Readonly<Record<string, Kind>> = {
  TOTP: {
    give: (dn, id) => call('Otp.TOTP_Register', { dn, key, ...(id && { id }) }),
    codes: () => [totp(source, now()), totp(source, now() + 30_000)],
  },
  HOTP: {
    give: (dn, id) => call('Otp.HOTP_Register', { dn, key, ...(id && { id }) }),
    codes: () => [hotp(source, 3), hotp(source, 4)],
  },
  LIST: {
    give: (dn) => data(dn, { ListKey: secret, ListState: Uint8Array.of(6, 16, 0, 0) }),
    codes: () => [hotp(source, 3), hotp(source, 4)],
  },
};

describe.each(Object.entries(kinds))('a code of %s', (_, { give, codes }) => {
  it('stays used when the user is deleted and made again with the same secret', async () => {
    await give(await person('carol'));
    const [used, next] = codes();
    expect(await logIn('carol', used)).toBe(1);
    await remove(dnOf('carol'));
    await give(await person('carol'));
    expect(await logIn('carol', used)).toBe(0);
    expect(await logIn('carol', next)).toBe(1);
  });

  it('stays used when another user has the same secret', async () => {
    await give(await person('carol'));
    await give(await person('dave'));
    const [used, next] = codes();
    expect(await logIn('carol', used)).toBe(1);
    expect(await logIn('dave', used)).toBe(0);
    expect(await logIn('dave', next)).toBe(1);
    expect(await logIn('carol', next)).toBe(0);
  });

  it('is good once of all that have it at the same moment', async () => {
    const names = ['carol', 'dave', 'erin'];
    for (const name of names) await give(await person(name));
    const [code] = codes();
    const answers = await Promise.all(names.map((name) => logIn(name, code)));
    expect(answers.filter((answer) => answer === 1)).toHaveLength(1);
  });
});

it.each(['TOTP', 'HOTP'])(
  'refuses a used code of %s after its token is registered again, in any slot',
  async (type) => {
    const { give, codes } = kinds[type] as Kind;
    const dn = await person('carol');
    await give(dn);
    const [used, next] = codes();
    expect(await logIn('carol', used)).toBe(1);
    await give(dn);
    expect(await logIn('carol', used)).toBe(0);
    await call('Otp.Token_Unregister', { dn });
    await give(dn, 3);
    expect(await logIn('carol', used)).toBe(0);
    expect(await logIn('carol', next)).toBe(1);
  },
);

it('a use of an emergency password stays used when the user is made again with what was stored', async () => {
  const stored = Buffer.alloc(26);
  createHash('md5').update('help me').digest().copy(stored);
  stored.writeUInt32BE(Math.floor(now() / 1000), 16);
  stored.writeUInt32BE(Math.floor(now() / 1000) + 3600, 20);
  stored.writeUInt16BE(1, 24);
  await data(await person('carol'), { EmergOTP: stored });
  await data(await person('dave'), { EmergOTP: stored });
  expect(await logIn('carol', 'help me')).toBe(1);
  await remove(dnOf('carol'));
  await data(await person('carol'), { EmergOTP: stored });
  expect(await logIn('carol', 'help me')).toBe(0);
  // The same words, given to another in the same second, are another password.
  expect(await logIn('dave', 'help me')).toBe(1);
});

it('wrong codes are counted on when the user is made again with the same secret', async () => {
  await data(await person('carol'), {
    ...{ TokenType: Buffer.from('TOTP'), TokenKey: secret, TokenState: Buffer.from('0') },
  });
  for (let n = 0; n < 100; n += 1) expect(await logIn('carol', 'wrong!')).toBe(0);
  await remove(dnOf('carol'));
  await data(await person('carol'), {
    ...{ TokenType: Buffer.from('TOTP'), TokenKey: secret, TokenState: Buffer.from('0') },
  });
  expect(await logIn('carol', totp(source, now()))).toBe(0);
  await call('Otp.Token_Enable', { dn: dnOf('carol') });
  expect(await logIn('carol', totp(source, now()))).toBe(1);
});

it('a challenge is not that of a user who is made again, whose password nobody has shown', async () => {
  const { give, codes } = kinds.TOTP as Kind;
  const { otp } = fixture.service.web;
  await give(await person('carol'));
  const asked = await otp.normalLogin({ username: 'carol', ldapPassword: password });
  const session = asked.code === 2 ? asked.session : '';
  await remove(dnOf('carol'));
  await give(await person('carol'));
  const [otpPassword] = codes();
  expect(await otp.challenge({ username: 'carol', session, otpPassword })).toMatchObject({ code: 0 });
  expect(await logIn('carol', otpPassword)).toBe(1);
});

describe('the last code of a token', () => {
  const there = { source: '198.51.100.7' };
  it.each([
    ['registered anew', async (_: string) => undefined],
    ['removed and registered again', (dn: string) => call('Otp.Token_Unregister', { dn })],
  ])('is not good again when it is %s with the same secret', async (_, between) => {
    const dn = await person('carol');
    await call('Set_User_Settings', { dn, settings: { 'Otp.LastOTPTime': '300' } });
    await kinds.TOTP?.give(dn);
    const code = totp(source, now());
    expect(await logIn('carol', code, there)).toBe(1);
    expect(await logIn('carol', code, there)).toBe(1);
    await between(dn);
    await kinds.TOTP?.give(dn);
    expect(await logIn('carol', code, there)).toBe(0);
  });
});

describe('the keys of claims', () => {
  const ring = (...keys: number[]) =>
    new KeyRing(
      keys.map((key) => Buffer.alloc(32, key)),
      systemRandom,
      Buffer.alloc(32, 9),
    );
  const rules = { period: 30 };
  const token = { type: 'HOTP', secret } as const;
  const carol = Dn.parse('uid=carol,dc=example,dc=org');
  const emergency = emergencyOf('123456', { start: 0, end: 1000, uses: 1 });
  const all = (keys: KeyRing) => [
    claimKey(token, rules, keys),
    claimKey({ type: 'TOTP', secret }, rules, keys),
    claimKey({ type: 'TOTP', secret }, { period: 60 }, keys),
    claimKey({ ...token, secret: Buffer.from('98765432109876543210') }, rules, keys),
    listClaimKey({ secret }, 0, keys),
    listClaimKey({ secret }, 1, keys),
    emergencyKey(carol, emergency, keys),
    emergencyKey(Dn.parse('uid=dave,dc=example,dc=org'), emergency, keys),
    emergencyKey(carol, { ...emergency, start: 1000 }, keys),
  ];

  it('are one for each secret, of counters, or of time steps of one length', () => {
    expect(new Set(all(ring(1))).size).toBe(all(ring(1)).length);
    expect(claimKey({ ...token, shape: { digits: 8, period: 60 } }, rules, ring(1))).toBe(
      claimKey(token, rules, ring(1)),
    );
    expect(emergencyKey(Dn.parse('UID=Carol, dc=example,dc=org'), emergency, ring(1))).toBe(all(ring(1))[6]);
  });

  it('stay the same over a change of keys', () => {
    for (const keys of [ring(2, 1), ring(2), ring(3, 2, 1)]) expect(all(keys)).toEqual(all(ring(1)));
  });

  it('tell nobody what they stand for who has not the keys of the installation', () => {
    const others = new KeyRing([Buffer.alloc(32, 1)], systemRandom, Buffer.alloc(32, 8));
    const ours = new Set(all(ring(1)));
    expect(all(others).filter((one) => ours.has(one))).toEqual([]);
    const plain = createHash('sha256').update(`HOTP:${key}`).digest('hex').slice(0, 16);
    expect(tokenKey(token, ring(1))).not.toContain(plain);
  });
});
