/** Meanings of events, parsed from what the writers write, and from nothing that only looks like it. */
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenChanges } from '../authenticators/token-data.ts';
import { swapData } from '../directory/data/data.ts';
import { findEntryRef } from '../directory/data/user-data.ts';
import { totp } from '../foundation/oath/totp.ts';
import { Dn } from '../foundation/text/dn.ts';
import { type LimitEvent, wordsOf } from '../limits/limit-events.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { meaningOf } from './meaning.ts';

const secret = Buffer.from('12345678901234567890');
const code = (now: number) => totp({ secret: createSecretKey(secret), digits: 6, period: 30 }, now);

describe('logins', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture({
      config: { limits: { login_failure_delay_ms: 0 }, clients: { 'a": b': {} } },
    });
    const { dn } = fixture.users.alice;
    await fixture.call('Activate_LDAP_Object', { dn });
    await fixture.call('Activate_LDAP_Object', { dn: fixture.users.bob.dn });
    const token = { type: 'TOTP', secret, state: { step: 0, drift: 0 } } as const;
    const view = fixture.core;
    await swapData(await findEntryRef(Dn.parse(dn), view), () => tokenChanges(1, token), view);
  });
  afterAll(() => fixture.close());

  async function last(request: object) {
    await fixture.service.web.otp.normalLogin({ username: 'alice', client: 'a": b', ...request });
    return meaningOf(fixture.events().at(-1)?.text ?? '');
  }

  it('have the accepted factors, the awaited factors, or a reason', async () => {
    const program = 'a": b';
    const { password: ldapPassword } = fixture.users.alice;
    const otpPassword = code(fixture.clock.now());
    expect(await last({ ldapPassword })).toEqual({
      ...{ kind: 'login', outcome: 'challenge', program, shown: ['password'], awaits: ['TOKEN'] },
    });
    expect(await last({ ldapPassword, otpPassword })).toEqual({
      ...{ kind: 'login', outcome: 'granted', program, shown: ['password', 'TOKEN'] },
    });
    const refused = { kind: 'login', outcome: 'refused', program };
    const behind = { ...refused, shown: ['password'] };
    expect(await last({ ldapPassword, otpPassword })).toEqual({ ...behind, reason: 'replay' });
    expect(await last({ ldapPassword, otpPassword: '000000' })).toEqual({ ...behind, reason: 'wrong_code' });
    expect(await last({ ldapPassword: 'x', otpPassword })).toEqual({ ...refused, reason: 'wrong_password' });
    expect(await last({ username: 'nobody', ldapPassword })).toEqual({ ...refused, reason: 'unknown' });
    const { password } = fixture.users.bob;
    const bob = { username: 'bob', ldapPassword: password };
    expect(await last(bob)).toMatchObject({ reason: 'no_factor' });
  });

  it('of administrators, and their calls, have the method and the outcome', async () => {
    await fixture.call('Find_Users', { text: 'x' }, { as: { username: 'admin', password: 'wrong' } });
    const lastMeaning = () => meaningOf(fixture.events().at(-1)?.text ?? '');
    expect(lastMeaning()).toEqual({
      kind: 'login',
      outcome: 'refused',
      program: 'Manager',
      reason: 'wrong_password',
    });
    const { dn } = fixture.users.alice;
    await fixture.call('Set_User_Attrs', { dn, attrs: { description: ['": Remove_LDAP_Object: done'] } });
    expect(lastMeaning()).toEqual({ kind: 'call', outcome: 'done', what: 'Set_User_Attrs' });
  });
});

it('parses every kind of limit, with its end', () => {
  const until = Date.UTC(2026, 10, 25, 12);
  const all: readonly LimitEvent[] = [
    { kind: 'lockout', isKnown: false, until },
    { kind: 'daily_quota', isKnown: true, until },
    { kind: 'authenticator_cap', key: undefined },
    { kind: 'token_disabled', key: 'one' },
    { kind: 'source_forgotten' },
    { kind: 'caller_watched', caller: '192.0.2.7' },
  ];
  const meanings = all.map((one) => meaningOf(`"Default\\\\alice": ${wordsOf(one, '192.0.2.7')}`));
  expect(meanings.map(({ kind, what }) => `${kind} ${what}`)).toEqual(all.map(({ kind }) => `limit ${kind}`));
  expect(meanings[0]?.until).toBe('2026-11-25 12:00:00');
});

it('parses no more than the text says', () => {
  const unread = { kind: 'other', outcome: '' };
  for (const text of [
    '',
    'Event 7',
    'x: Set_Role: done',
    '"x": something new',
    'Login of x: granted by password',
  ])
    expect(meaningOf(text)).toEqual(unread);
  const audited = String.raw`SSH session of "Default\\alice" at host: audit: uid=root: Set_Role: done`;
  expect(meaningOf(audited).kind).toBe('other');
  expect(meaningOf(String.raw`Login of "a" at "\u12": granted by password`)).toEqual(unread);
});
