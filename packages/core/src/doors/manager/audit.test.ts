/** The audit (docs/concepts/stores-and-nodes.md#event-log) and the log: every change leaves a line, no line a secret, no caller a false one. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import { formatAuditLine } from '../../ports/event-log/event-log.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { coreMethods } from './methods.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ config: { manager_session: 300 } });
});
afterAll(() => fixture.close());

const people = 'ou=people,dc=example,dc=org';
const newDn = `uid=new,${people}`;

/** The lines that the calls of `act` leave in the event log. */
async function linesOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = fixture.events().length;
  await act();
  return fixture.events().slice(before).map(formatAuditLine);
}

describe('a change', () => {
  it.each([
    [
      'Create_LDAP_Object',
      { dn: newDn, attrs: { objectclass: 'inetOrgPerson', cn: 'N', sn: 'N' } },
      `dn="${newDn}" attrs="objectclass cn sn": done`,
    ],
    [
      'set_user_attrs',
      { dn: newDn, attrs: { mail: 'n@example.org' }, values: true },
      `dn="${newDn}" attrs="mail" values="true": done`,
    ],
    ['Set_User_Password', { dn: newDn, password: 'S3cret-one' }, `dn="${newDn}" password="***": done`],
    ['Activate_LDAP_Object', { dn: newDn }, `dn="${newDn}": done`],
    ['Activate_LDAP_Object', { dn: newDn }, `dn="${newDn}": no change`],
    [
      'Set_User_Settings',
      { dn: newDn, settings: { 'Otp.LoginMode': 'LDAP' } },
      `dn="${newDn}" settings="Otp.LoginMode": done`,
    ],
    [
      'Set_User_Data',
      { dn: newDn, data: { 'Otp.TokenKey': 'AAAA' } },
      `dn="${newDn}" data="Otp.TokenKey": done`,
    ],
    ['Remove_LDAP_Object', { dn: newDn }, `dn="${newDn}": done`],
    ['Remove_LDAP_Object', { dn: newDn }, `dn="${newDn}": refused (not_found)`],
    ['Clear_Caches', {}, 'done'],
  ])('by %s leaves one line', async (method, params, ending) => {
    const lines = await linesOf(() => fixture.call(method, params));
    expect(lines).toHaveLength(1);
    const published = Object.keys(coreMethods).find((name) => name.toLowerCase() === method.toLowerCase());
    const separator = ending === 'done' ? ': ' : ' ';
    expect(lines[0]).toMatch(/^\[2026-11-20 12:00:00\] \[192\.0\.2\.1:40000\] \[Manager:[0-9A-Z]{8}\] /);
    expect(lines[0]?.split('] ').at(-1)).toBe(`${fixture.admin.dn}: ${published}${separator}${ending}`);
  });

  it('that was refused before it was read leaves one too', async () => {
    const [line] = await linesOf(() => fixture.call('Remove_LDAP_Object', { dn: 7 }));
    expect(line).toMatch(/: Remove_LDAP_Object: refused \(invalid_params\)$/);
  });

  it('that nobody asked an answer for leaves one as well', async () => {
    const remove = (dn: string) => ({ jsonrpc: '2.0', method: 'Remove_LDAP_Object', params: { dn } });
    const body = [remove(`uid=never,${people}`), remove(`uid=nowhere,${people}`)];
    expect(await linesOf(() => fixture.answer({ body }))).toHaveLength(2);
  });

  it('that is refused again and again leaves one, which says how often and from when to when', async () => {
    const remove = () => fixture.call('Remove_LDAP_Object', { dn: `uid=ghost,${people}` });
    const [begun, lines] = [fixture.clock.now(), await linesOf(remove)];
    fixture.clock.advance(60_000);
    for (const _ of [1, 2]) await remove();
    expect(lines).toHaveLength(1);
    const { result } = await fixture.call('Get_Event_Logs', { application: 'Manager', max: 2 });
    expect(result).toMatchObject([
      { time: formatTimestamp(begun), count: 3, last: formatTimestamp(begun + 60_000) },
      { text: expect.stringContaining('nowhere') },
    ]);
    expect(Object(result)[1]).not.toHaveProperty('count');
    fixture.clock.advance(-60_000);
  });

  it('made in process has no address', async () => {
    const { manager, close } = await fixture.service.manager.login(fixture.admin);
    const [line] = await linesOf(() => manager.Clear_Caches());
    expect(line).toContain('] [-] [Manager:');
    await close();
  });

  it('is kept with the entry that it was about and the id of its request', async () => {
    const change = {
      jsonrpc: '2.0',
      method: 'Set_User_Attrs',
      params: { dn: fixture.users.bob.dn, attrs: { title: 'x' } },
    };
    await fixture.answer({ body: [change, change] });
    const [first, second] = fixture.events().slice(-2);
    expect(first?.dn).toBe(fixture.users.bob.dn);
    expect(first?.session).toBe(second?.session);
    expect(fixture.log.lines.at(-1)?.fields).toMatchObject({ transaction: first?.session, audit: true });
  });

  it('is in the event log before it is answered', async () => {
    const order: string[] = [];
    const slow = await fixture.another({
      ports: ({ events }) => ({
        events: {
          ...events,
          append: async (event) => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            await events.append(event);
            order.push('kept');
          },
        },
      }),
    });
    await slow.call('Clear_Caches');
    order.push('answered');
    expect(order).toEqual(['kept', 'answered']);
    await slow.close();
  });
});

describe('a reading call', () => {
  it('leaves no line', async () => {
    expect(await linesOf(() => fixture.call('Get_User_Attrs', { dn: fixture.users.bob.dn }))).toEqual([]);
  });
});

describe('a forger', () => {
  it.each([
    `uid=a\n[2026-11-20 12:00:00] [192.0.2.9:1] [Manager:AAAAAAAA] ${people}: forged,${people}`,
    `uid=a\\": done\u2028forged,${people}`,
    `uid=a\r\u0085\u001b[2Jb,${people}`,
    `uid=a\u202egro=cd\u2066,${people}`,
  ])('gets no line of its own by %j', async (dn) => {
    const lines = await linesOf(() => fixture.call('Remove_LDAP_Object', { dn }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\p{Cc}\u2028\u2029\u202e\u2066]/u);
    expect(lines[0]).toMatch(/: refused \(\w+\)$/);
    expect(fixture.events().at(-1)?.text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    // Quotes in a value are escaped: what follows them is still the value.
    expect(lines[0]?.match(/(?<!\\)"/g)).toHaveLength(2);
  });

  it('cannot hide a name behind a spelling of it, its own or that of an entry', async () => {
    const node = await fixture.another({ config: { manager_auth: 'DN' } });
    const hidden = (dn: string) => dn.replace('uid=a', 'UID = \\61').replaceAll(',', ' ; ');
    const as = { username: hidden(fixture.admin.dn), password: fixture.admin.password };
    const dn = hidden(fixture.users.alice.dn);
    await node.call('Set_User_Attrs', { dn, attrs: { title: 'x' } }, { as });
    const event = fixture.events().at(-1);
    expect(event?.dn?.toLowerCase()).toBe(fixture.users.alice.dn);
    expect(event?.text.toLowerCase()).toBe(
      `${fixture.admin.dn}: set_user_attrs dn="${fixture.users.alice.dn}" attrs="title": done`,
    );
    await node.close();
  });

  it('fills no disk', async () => {
    const [line] = await linesOf(() =>
      fixture.call('Rename_LDAP_Object', { dn: newDn, name: 'x'.repeat(100_000) }),
    );
    expect(line?.length).toBeLessThan(1000);
  });
});

const secret = 'S3cret-';
const encoded = Buffer.from(secret).toString('base64').slice(0, 8);

/** Parameters for any method, with secrets where secrets belong. */
const secretive: Readonly<Record<string, unknown>> = {
  dn: newDn,
  basedn: people,
  container: people,
  username: 'nobody',
  domain: 'Default',
  name: 'newer',
  type: 'domains',
  length: 8,
  filter: `(userPassword=${secret})`,
  password: `${secret}password`,
  certificate: `-----BEGIN CERTIFICATE-----${encoded}-----END CERTIFICATE-----`,
  attrs: { objectclass: 'inetOrgPerson', cn: 'x', sn: 'x', userpassword: `${secret}attribute` },
  data: { 'Otp.TokenKey': Buffer.from(`${secret}data`).toString('base64') },
  settings: { 'Otp.ReplyData': `${secret}setting` },
};
/** Filter that is a reference for items, which the audit must record. */
const filterOfItems = { filter: '47*' };
const namesOnly = { attrs: ['userpassword'], data: ['Otp.TokenKey'], settings: ['Otp.ReplyData'] };

describe('a secret', () => {
  it('is in no log, whichever method it was given to and however wrongly', async () => {
    const creation = ['Create_LDAP_Object', 'Activate_LDAP_Object'];
    for (const [name, { params }] of [
      ...Object.entries(coreMethods).filter(([name]) => creation.includes(name)),
      ...Object.entries(coreMethods).filter(([name]) => !name.startsWith('Remove_LDAP')),
    ]) {
      const given = Object.fromEntries(Object.keys(params).map((key) => [key, secretive[key]]));
      if (name === 'Update_Inventory_Items') Object.assign(given, filterOfItems);
      await fixture.call(name, given);
      await fixture.call(name, { ...given, ...namesOnly });
      await fixture.call(
        name,
        Object.fromEntries(Object.keys(params).map((key) => [key, [`${secret}${key}`]])),
      );
      await fixture.call(name, { ...given, data: { 'Otp.TokenKey': `!${secret}` }, password: { secret } });
    }
    const said = inspect([fixture.log.lines, fixture.events()], { depth: null, maxStringLength: null });
    expect(said).toContain('Set_User_Password');
    expect([secret, encoded].filter((hidden) => said.includes(hidden))).toEqual([]);
  });

  it('of a login is in no log either', async () => {
    const login = { username: 'admin', password: `${secret}login` };
    await fixture.answer({ body: {}, as: login });
    await fixture.answer({ body: {}, authorization: `Bearer ${secret}` });
    const { headers } = await fixture.answer({ body: {} });
    const cookie = headers['set-cookie']?.slice('SVCMANAG='.length).split(';')[0] ?? '';
    await fixture.answer({ body: {}, as: null, cookie });
    const said = inspect(fixture.log.lines, { depth: null, maxStringLength: null });
    const hidden = [secret, encoded, cookie, fixture.admin.password];
    expect(hidden.filter((text) => said.includes(text))).toEqual([]);
  });
});

describe('what nobody foresaw', () => {
  it('is an id for the caller and the whole story in the log', async () => {
    const broken = await fixture.another({
      ports: ({ events }) => ({
        events: { ...events, append: () => Promise.reject(new Error('EIO: /var/lib/watchword')) },
      }),
    });
    const { error } = await broken.call('Clear_Caches');
    expect(error).toEqual({
      code: -32603,
      message: 'Internal error',
      data: expect.stringMatching(/^[0-9A-Z]{8}$/),
      reason: 'internal',
    });
    expect(broken.log.lines.find(({ fields }) => fields.audit)?.message).toMatch(/: Clear_Caches: done$/);
    const line = broken.log.lines.find(({ level }) => level === 'error');
    expect(line?.fields).toMatchObject({ transaction: error?.data, method: 'Clear_Caches' });
    expect(inspect(line?.fields.error)).toContain('/var/lib/watchword');
    await broken.close();
  });
});
