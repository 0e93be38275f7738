/**
 * What a request may say, at every door: settings that no request sets, whoever calls; and what callers
 * say in vain who have shown nothing.
 *
 * Seen to fail with the guards taken out: in requested-setting.ts, let `isReserved` be false; in administration/policy/client-policies.ts,
 * let `maySet` be true, and give `named` where a StricterPolicy is made; in login/context.ts, believe every `source`.
 */
import { createHash } from 'node:crypto';
import { type Fixture, type FixtureOptions, openFixture } from '@watchword/core/testing/bed';
import { createWebServiceHandler } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addGroup, Cast } from './cast.ts';
import { type Answer, doors, type Fields } from './doors.ts';
import { doorAddresses } from './people.ts';
import { clients, reservedRows, stricterRows, vainRows } from './rows/requests.ts';
import { both, challenge, granted, passwordOnly, type Row, refused, totp, usual } from './rows/row.ts';

const secret = '0123456789abcdef0123456789abcdef01234567';
const sha256 = createHash('sha256').update(secret).digest('hex');
const usualConfig: NonNullable<FixtureOptions['config']> = {
  limits: { login_failure_delay_ms: 0 },
  clients,
};
const known = { trusted_callers: doorAddresses, request_settings: doorAddresses };

let fixture: Fixture;
let cast: Cast;
const nodes = new Map<string, Fixture>();
/** A node of this configuration, on the users of all. */
async function nodeOf(config: NonNullable<FixtureOptions['config']>): Promise<Fixture> {
  const title = JSON.stringify(config);
  const node = nodes.get(title) ?? (await fixture.another({ config: { ...usualConfig, ...config } }));
  nodes.set(title, node);
  return node;
}
beforeAll(async () => {
  fixture = await openFixture({ config: usualConfig });
  await addGroup(fixture, 'crew', {});
  cast = new Cast(fixture);
});
afterAll(async () => {
  for (const node of nodes.values()) await node.close();
  await fixture.close();
});

const ignoredBy = ({ log }: Fixture): readonly unknown[] =>
  log.lines.flatMap(({ message, fields }) =>
    message === 'settings of a request were ignored' ? [fields.names].flat() : [],
  );

const askAt = async (door: string, node: Fixture, fields: Fields): Promise<Answer> =>
  (await doors[door]?.(node.service)('normalLogin', fields)) ?? {};

/** What a row is answered, asked by a stranger or as `config` has the doors known. */
async function answerTo(door: string, { title, has = usual, ask }: Row, config = {}): Promise<Answer> {
  const user = await cast.find(`${title} over ${door} ${JSON.stringify(config)}`, has);
  return askAt(door, await nodeOf(config), { username: user.username, ...(await ask(user)) });
}

// The program that embeds the core is no stranger.
const outside = Object.keys(doors).filter((door) => door !== 'in process');
describe.each(outside)('a stranger over %s', (door) => {
  it.each(vainRows)('says in vain: $title', async (row) => {
    expect(await answerTo(door, row)).toEqual(row.answer);
  });

  it.each(stricterRows)('may say what asks for more: $title', async (row) => {
    expect(await answerTo(door, row)).toEqual(row.answer);
  });
});

describe.each(Object.keys(doors))('over %s', (door) => {
  it.each(reservedRows)('$title, not even for a trusted caller', async (row) => {
    const { title, has = usual, setting, answer } = row;
    const node = await nodeOf(known);
    node.log.lines.splice(0);
    const user = await cast.find(`${title} over ${door}`, has);
    const login = (fields: Fields) =>
      askAt(door, node, { username: user.username, settings: setting, ...fields });
    const wait = (seconds: number) => fixture.clock.advance(seconds * 1000);
    const fields = await row.ask(user, { login, wait });
    expect(await login({ source: '203.0.113.7', ...fields })).toEqual(answer);
    expect(ignoredBy(node)).toContain(setting.slice(0, setting.indexOf('=')));
  });

  it.each(stricterRows)('a caller that is let choose may say: $title', async (row) => {
    expect(await answerTo(door, row, known)).toEqual(row.answer);
  });

  it.each<[string, Fields, Answer]>([
    ['a setting', { settings: 'LoginMode=LDAP' }, granted],
    ['a client policy that weakens', { client: 'lax' }, granted],
    ['the end user’s network', { client: 'lax by network', source: '198.51.100.7' }, granted],
    ['a network of nobody', { client: 'lax by network', source: '203.0.113.7' }, challenge('TOKEN')],
  ])('a trusted caller that is let choose is believed: %s', async (title, fields, answer) => {
    const row = { title, ask: (user: Parameters<Row['ask']>[0]) => ({ ...passwordOnly(user), ...fields }) };
    expect(await answerTo(door, { ...row, answer }, known)).toEqual(answer);
  });
});

describe('a caller that is known otherwise', () => {
  const handle = (node: Fixture) => createWebServiceHandler(node.service);
  const log = async (node: Fixture, fields: Fields, headers: Readonly<Record<string, string>> = {}) => {
    const request = new Request('https://localhost:8443/otp/json/otpNormalLogin/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(fields),
    });
    return (await handle(node)(request, { address: '192.0.2.1', port: 40_000 })).json();
  };
  const passwordOf = async (title: string, fields: Fields = {}): Promise<Fields> => {
    const user = await cast.find(title, usual);
    return { username: user.username, ...passwordOnly(user), ...fields };
  };
  const at = (addresses: readonly string[], more: object = {}) => ({ addresses: [...addresses], ...more });
  const key = { 'x-api-key': `7_${secret}` };

  it('by an address of the client has its policy, with the word or without', async () => {
    const node = await nodeOf({ clients: { ...clients, lax: at(['192.0.2.0/24'], clients.lax) } });
    for (const client of ['lax', 'anybody', 'closed', undefined])
      expect(await log(node, await passwordOf('bound', client === undefined ? {} : { client }))).toEqual(
        granted,
      );
  });

  it('by an address of a client that is closed has no word that opens', async () => {
    const closed = { mode: 'no_access' as const, addresses: ['192.0.2.1'] };
    const node = await nodeOf({ clients: { ...clients, closed }, ...known });
    for (const client of ['lax', 'anybody', 'portal', undefined])
      expect(await log(node, await passwordOf('kept out', client === undefined ? {} : { client }))).toEqual(
        refused,
      );
  });

  it('whose address is the name of a client finds no way round it by another name', async () => {
    const clientsOf = { ...clients, '192.0.2.1': { mode: 'step_up' as const } };
    const node = await nodeOf({ clients: clientsOf, settings: { 'Otp.LoginMode': 'LDAP' } });
    for (const client of ['lax', 'anybody', 'down', undefined])
      expect(await log(node, await passwordOf('stepped up', client === undefined ? {} : { client }))).toEqual(
        challenge('TOKEN'),
      );
  });

  it('has not what its own network loosens where it says that its users are elsewhere', async () => {
    const networks = [{ network: '192.0.2.0/24', settings: { 'Otp.LoginMode': 'LDAP' } }];
    const node = await nodeOf({ clients: { ...clients, inner: at(['192.0.2.1'], { networks }) } });
    const from = async (source: Fields) => log(node, await passwordOf('inner', source));
    expect(await from({})).toEqual(granted);
    expect(await from({ source: '192.0.2.1' })).toEqual(granted);
    expect(await from({ source: '203.0.113.7' })).toEqual(challenge('TOKEN'));
    expect(await from({ source: '192.0.2.9' })).toEqual(challenge('TOKEN'));
  });

  it('by a key of the client has its policy', async () => {
    const node = await nodeOf({ api_keys: { 7: { sha256, client: 'lax' } } });
    expect(await log(node, await passwordOf('keyed', { client: 'strict' }), key)).toEqual(granted);
    expect(await log(node, await passwordOf('keyed', { client: 'lax' }))).toEqual(challenge('TOKEN'));
  });

  it('by a key of no client, or an address that is trusted, says settings, and no client that weakens', async () => {
    for (const config of [{ api_keys: { 7: { sha256 } } }, { trusted_callers: ['192.0.2.1'] }]) {
      const node = await nodeOf(config);
      const headers = 'api_keys' in config ? key : {};
      const ask = async (fields: Fields) => log(node, await passwordOf('trusted', fields), headers);
      expect(await ask({ settings: 'LoginMode=LDAP' })).toEqual(granted);
      expect(await ask({ client: 'lax' })).toEqual(challenge('TOKEN'));
    }
  });

  it('says the settings that its client lists, and only what asks for more besides', async () => {
    const listed = { allowed_settings: ['ChallengeTimeout'] };
    const byAddress = await nodeOf({ clients: { ...clients, vpn: at(['192.0.2.1'], listed) } });
    const byKey = await nodeOf({
      clients: { ...clients, vpn: listed },
      api_keys: { 7: { sha256, client: 'vpn' } },
    });
    for (const [node, headers] of [
      [byAddress, {}],
      [byKey, key],
    ] as const) {
      const ask = async (settings: string) => log(node, await passwordOf('listed', { settings }), headers);
      expect(await ask('ChallengeTimeout=300')).toEqual(challenge('TOKEN', 'TOKEN', 300));
      expect(await ask('LoginMode=LDAP')).toEqual(challenge('TOKEN'));
      expect(await ask('ChallengeMode=No')).toEqual(refused);
    }
  });

  it('is told by its network that it may choose, which dialect deployed has for private ones', async () => {
    const from = async (address: string, config: NonNullable<FixtureOptions['config']>) => {
      const node = await nodeOf(config);
      const body = JSON.stringify(await passwordOf('deployed', { client: 'lax' }));
      const url = 'https://localhost:8443/otp/json/otpNormalLogin/';
      const headers = { 'content-type': 'application/json' };
      const request = new Request(url, { method: 'POST', headers, body });
      return (await (await handle(node)(request, { address, port: 40_000 })).json()).code;
    };
    const deployed = { dialect: 'deployed' as const };
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', '172.31.0.1', '192.168.7.7', 'fd00::7']) {
      expect([address, await from(address, deployed)]).toEqual([address, 1]);
      expect([address, await from(address, {})]).toEqual([address, 2]);
      expect([address, await from(address, { ...deployed, request_settings: [] })]).toEqual([address, 2]);
    }
    for (const address of ['192.0.2.1', '172.32.0.1', '2001:db8::1', '169.254.0.1'])
      expect([address, await from(address, deployed)]).toEqual([address, 2]);
  });

  it('leaves a challenge to others under what it was allowed itself, and takes none with it', async () => {
    const node = await nodeOf({ trusted_callers: ['192.0.2.1'] });
    const user = await cast.find('passed on', { done: [totp] });
    const asked = await log(node, { username: user.username, ...passwordOnly(user) });
    const stranger = await log(fixture, { username: user.username, ...passwordOnly(user) });
    const answer = (session: string) =>
      doors['in process']?.(node.service)('challenge', {
        ...{ username: user.username, session, otpPassword: user.code() },
      });
    expect(await answer(asked.session)).toEqual(granted);
    expect(await answer(stranger.session)).toEqual(granted);
  });

  it('a stranger’s `source` stands in the event as what it said, and nowhere else', async () => {
    const user = await cast.find('claiming', usual);
    await log(fixture, { username: user.username, ...both(user), source: '198.51.100.7' });
    const event = fixture.events().at(-1);
    expect(event?.text).toContain('claimed source 198.51.100.7');
    expect(event).not.toHaveProperty('source');
  });
});
