/** Unknown login names may be passwords: the logs show their digest only. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceConfigInput } from '../config/config.ts';
import { Dn } from '../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';

/** Longer than the logs show. */
const typed = `Hunter2-${'long'.repeat(20)}`;
const people = 'ou=people,dc=example,dc=org';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture({ config: { limits: { login_failure_delay_ms: 0 } } });
  const activation = { operation: 'add', attribute: 'objectClass', values: ['webadmaccount'] } as const;
  await fixture.directory.service.modify(Dn.parse(fixture.users.alice.dn), [activation]);
});
afterEach(() => fixture.close());

const said = (node: Fixture) =>
  inspect([node.log.lines, node.events()], { depth: null, maxStringLength: null });

type Way = (node: Fixture, username: string) => Promise<unknown>;

const administers: Way = (node, username) => node.answer({ as: { username, password: 'wrong' } });
const answersFor =
  (username: string, answeredAs = username): Way =>
  async ({ service: { web } }, name) => {
    const begin = { username: username.replace('NAME', name) };
    const begun = await web.otp.normalLogin(begin);
    const session = 'session' in begun ? String(begun.session) : '';
    expect(session).not.toBe('');
    return web.otp.challenge({ username: answeredAs.replace('NAME', name), session, otpPassword: '1' });
  };

const byCode = { settings: { 'Otp.LoginMode': 'OTP' } };

const ways: readonly [string, Way, Partial<ServiceConfigInput>][] = [
  ['the Manager', administers, {}],
  ['the Manager, with a domain', (node, name) => administers(node, `Default\\${name}`), {}],
  ['the Manager in mode DN', administers, { manager_auth: 'DN' }],
  [
    'the Manager in mode DN, as a part of one',
    (node, name) => administers(node, `uid=${name},${people}`),
    { manager_auth: 'DN' },
  ],
  [
    'a login',
    ({ service: { web } }, username) => web.otp.normalLogin({ username, ldapPassword: 'wrong' }),
    {},
  ],
  [
    'a login with a domain that there is not',
    ({ service: { web } }, name) =>
      web.otp.normalLogin({ username: `${name}\\alice`, ldapPassword: 'wrong' }),
    {},
  ],
  [
    'a login by DN',
    ({ service: { web } }, name) =>
      web.otp.normalLogin({ username: `uid=${name},${people}`, ldapPassword: 'x', options: 'LDAPDN' }),
    {},
  ],
  ['the answer to a challenge', answersFor('NAME'), byCode],
  ['the answer to a challenge under another name', answersFor('NAME', 'alice'), byCode],
];

describe.each(ways)('an unknown name, typed at %s', (_, way, config) => {
  it('is logged as a digest, the same each time', async () => {
    const node = await fixture.another({ config: { limits: { login_failure_delay_ms: 0 }, ...config } });
    await way(node, typed);
    expect(said(node)).toMatch(/#[0-9a-f]{16}/);
    const digests = () => new Set(said(node).match(/#[0-9a-f]{16}/g));
    const before = digests();
    await way(node, typed);
    expect(digests()).toEqual(before);
    await way(node, `${typed.slice(0, 20)}-another`);
    expect(digests().size).toBeGreaterThan(before.size);
    expect(said(node)).not.toContain('Hunter2');
    await node.close();
  });

  it('is shown up to 64 characters when the operator wants it', async () => {
    const wanted = { limits: { login_failure_delay_ms: 0 }, log_unknown_names: true, ...config };
    const node = await fixture.another({ config: wanted });
    await way(node, typed);
    expect(said(node)).toContain('Hunter2-long');
    expect(said(node)).not.toContain(typed);
    await node.close();
  });
});

it('shows a known name, wherever it was typed', async () => {
  const { alice } = fixture.users;
  await administers(fixture, 'alice');
  expect(fixture.events().at(-1)).toMatchObject({
    dn: alice.dn,
    text: expect.stringMatching(/^Login of "alice": /),
  });
  const byDn = await fixture.another({ config: { manager_auth: 'DN' } });
  await administers(byDn, alice.dn);
  expect(fixture.events().at(-1)).toMatchObject({
    dn: alice.dn,
    text: `Login of "${alice.dn}": refused: wrong password`,
  });
  await fixture.service.web.otp.normalLogin({ username: 'alice', ldapPassword: 'wrong' });
  expect(fixture.events().at(-1)?.text).toMatch(/^Login of "Default\\\\alice" at /);
  await fixture.service.web.otp.normalLogin({ username: 'bob', ldapPassword: fixture.users.bob.password });
  expect(fixture.events().at(-1)?.text).toMatch(
    /^Login of "Default\\\\bob" at .*: refused: the user is not activated/,
  );
  await byDn.close();
});
