/** Administrators who were not let in, and methods that were refused: in the event log and the log, without a secret. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, type FixtureOptions, openFixture } from '../../testing/bed/fixture.ts';

const status = { jsonrpc: '2.0', id: 1, method: 'Server_Status' };
const limits = { user_failures: 3, login_failure_delay_ms: 1000 };

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture({ config: { limits } });
});
afterEach(() => fixture.close());

const logIn = (username: string, password: string, address = '192.0.2.9') =>
  fixture.answer({ body: status, as: { username, password }, address });
/** Returns the event of a refused login, and the only line of the log. */
async function kept(act: () => Promise<unknown>) {
  const before = fixture.events().length;
  fixture.log.lines.splice(0);
  await act();
  const events = fixture.events().slice(before);
  expect(fixture.log.lines).toHaveLength(1);
  return { events, fields: fixture.log.lines[0]?.fields ?? {} };
}

describe('a failed login of an administrator', () => {
  it.each([
    ['wrong password', 'admin', 'Hunter2-wrong', true],
    ['no such user', 'nobody', 'Hunter2-wrong', false],
    ['no such user', 'Nowhere\\admin', 'Hunter2-wrong', false],
    ['no credentials that could be right', 'admin', '', false],
  ])('is kept with name, address and reason: %s', async (reason, username, password, isKnown) => {
    const { events, fields } = await kept(() => logIn(username, password));
    const about = isKnown ? { dn: fixture.admin.dn } : {};
    const user = isKnown ? username : expect.stringMatching(/^#[0-9a-f]{16}$/);
    expect(events).toEqual([
      {
        ...{
          time: expect.any(Number),
          client: '192.0.2.9:40000',
          host: fixture.core.host,
          application: 'Manager',
        },
        ...{ session: expect.stringMatching(/^[0-9A-Z]{8}$/), ...about },
        text: expect.stringMatching(
          `^Login of "${isKnown ? username : '#[0-9a-f]{16}'}": refused: ${reason}$`,
        ),
        count: 1,
      },
    ]);
    expect(fields).toEqual({
      ...{ transaction: events[0]?.session, audit: true, client: '192.0.2.9:40000' },
      ...{ user, outcome: 'refused', reason, ...about },
    });
  });

  it('is kept of who is no administrator, and counts', async () => {
    const { alice } = fixture.users;
    const attempt = async () => Object(await logIn(alice.username, alice.password)).body.error.reason;
    const { events } = await kept(attempt);
    expect(events[0]).toMatchObject({
      dn: alice.dn,
      text: 'Login of "alice": refused: this account is not an administrator',
    });
    expect([await attempt(), await attempt(), await attempt()]).toEqual([
      ...['credentials_refused', 'credentials_refused'],
      'too_many_attempts',
    ]);
    expect(fixture.clock.slept.filter((pause) => pause === 1000)).toHaveLength(4);
  });

  it('is kept where the password has to be changed first', async () => {
    const { service } = fixture.ports.directory;
    await service.setPassword(Dn.parse(fixture.admin.dn), 'Hunter2-new', { mustChange: true });
    const { fields } = await kept(() => logIn('admin', 'Hunter2-new'));
    expect(fields.reason).toBe('the password has to be changed first');
  });

  it('fills no disk: whoever is blocked is in the log only', async () => {
    await logIn('nobody', 'Hunter2-wrong');
    for (const _ of [1, 2]) await logIn('nobody', 'Hunter2-wrong');
    const blocked = await kept(() => logIn('nobody', 'Hunter2-wrong'));
    expect(blocked.events).toEqual([]);
    expect(blocked.fields).toMatchObject({
      ...{ client: '192.0.2.9:40000', outcome: 'refused', reason: 'too many failures' },
    });
  });

  it.each(['a\n[2026-11-20 12:00:00] forged', 'a": granted\u2028', '\u001b[2J\u202e'])(
    'forges no line by the name %j',
    async (username) => {
      const node = await fixture.another({ config: { log_unknown_names: true } });
      await node.answer({ body: status, as: { username, password: 'Hunter2-wrong' } });
      const events = node.events().slice(-1);
      await node.close();
      expect(events[0]?.text).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
      expect(events[0]?.text).toMatch(/^Login of ".*": refused: no such user$/);
    },
  );

  it('in process is kept as well', async () => {
    const { events } = await kept(() =>
      expect(
        fixture.service.manager.login({ username: 'admin', password: 'Hunter2-wrong' }),
      ).rejects.toThrow(),
    );
    expect(events[0]).toMatchObject({ client: '-', text: 'Login of "admin": refused: wrong password' });
  });

  it('tells nobody a password', async () => {
    const passwords = ['Hunter2-wrong', fixture.users.alice.password, 'Hunter2-ü"\\'];
    for (const [index, password] of passwords.entries()) {
      await logIn('admin', password, `192.0.2.${index}`);
      await logIn('alice', password, `192.0.2.${index}`);
      await logIn('nobody', password, `192.0.2.${index}`);
    }
    const said = inspect([fixture.log.lines, fixture.events()], { depth: null, maxStringLength: null });
    expect(said).toContain('refused');
    const encoded = passwords.map((password) =>
      Buffer.from(`admin:${password}`).toString('base64').slice(0, 16),
    );
    expect([...passwords, 'Hunter2', ...encoded].filter((secret) => said.includes(secret))).toEqual([]);
  });
});

describe('a refused method', () => {
  const open = (options: FixtureOptions) => fixture.another(options);
  const desk = (methods: string[]) => ({
    helpdesk: { members: [fixture.users.alice.dn], methods, subtrees: ['ou=groups,dc=example,dc=org'] },
  });
  const lastOf = (node: Fixture) => ({
    event: node.events().at(-1),
    fields: node.log.lines.findLast(({ fields }) => fields.audit)?.fields,
  });

  it.each([
    [
      'Block_Start of an entry out of reach',
      'Otp.Block_Start',
      ['*'],
      "Could not update LDAP object '<dn>' (the object is out of your reach)",
    ],
    [
      'Get_User_Attrs of an entry out of reach',
      'Get_User_Attrs',
      ['*'],
      "Could not read LDAP object '<dn>' (the object is out of your reach)",
    ],
    ['a method that no role has', 'Remove_LDAP_Object', ['Get_*'], 'none of your roles has this method'],
    ['a reading one that no role has', 'Otp.User_Tokens', ['Get_*'], 'none of your roles has this method'],
  ])('is kept with its target and the reason: %s', async (_, method, methods, why) => {
    const { alice, bob } = fixture.users;
    const node = await open({ config: { roles: desk(methods) } });
    expect(await node.call(method, { dn: bob.dn }, { as: alice })).toMatchObject({
      error: { reason: 'permission_denied' },
    });
    const result = why.replace('<dn>', bob.dn);
    const { event, fields } = lastOf(node);
    expect(event).toMatchObject({
      dn: bob.dn,
      text: `${alice.dn}: ${method} dn="${bob.dn}": refused (permission_denied: ${result})`,
    });
    expect(fields).toMatchObject({
      ...{ user: alice.dn, method, dn: bob.dn, client: '192.0.2.1:40000' },
      ...{ outcome: 'refused', reason: 'permission_denied', milliseconds: expect.any(Number) },
    });
    await node.close();
  });

  it('is kept with its target where a parameter could not be read', async () => {
    const { dn } = fixture.users.bob;
    await fixture.call('Set_User_Password', { dn, password: { secret: 'Hunter2' } });
    const { event } = lastOf(fixture);
    expect(event).toMatchObject({
      dn,
      text: `${fixture.admin.dn}: Set_User_Password dn="${dn}": refused (invalid_params)`,
    });
    await fixture.call('Set_User_Password', [dn, ['Hunter2']]);
    expect(lastOf(fixture).event).toMatchObject({ dn });
  });

  it('that is done has the same fields', async () => {
    const { dn } = fixture.users.bob;
    await fixture.call('Activate_LDAP_Object', { dn });
    await fixture.call('Otp.Block_Start', { dn });
    expect(lastOf(fixture).fields).toMatchObject({
      ...{ user: fixture.admin.dn, method: 'Otp.Block_Start', dn, outcome: 'done' },
      client: '192.0.2.1:40000',
    });
    expect(lastOf(fixture).fields).not.toHaveProperty('reason');
  });
});
