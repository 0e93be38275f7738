/** Client policies over a real store: who is meant, what holds, and modes that administrators set. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import type { ClientPolicy } from './client-policy.ts';

const staff = Dn.parse('cn=staff,ou=groups,dc=example,dc=org');
const guests = Dn.parse('cn=guests,ou=groups,dc=example,dc=org');
const inOtherWords = Dn.parse('CN=Staff, OU=Groups, DC=example, DC=org');

const names = { Otp: 'ExampleOTP' };
const clients = {
  vpn: {
    settings: { 'Otp.LoginMode': 'OTP', 'ExampleOTP.EnableLogin': true, 'Otp.ListSize': 3 },
    default_domain: 'Default',
    allowed_groups: [staff.toString()],
    excluded_groups: [guests.toString()],
    allowed_options: ['-LDAP' as const],
    groups: [
      { group: staff.toString(), settings: { 'Otp.OTPLength': 8 } },
      { group: guests.toString(), settings: { 'Otp.OTPLength': 10 } },
    ],
    networks: [
      { network: '10.1.0.0/16', settings: { 'Otp.LoginMode': 'LDAP' } },
      { network: '10.0.0.0/8', settings: { 'Otp.LoginMode': 'LDAPOTP' } },
    ],
  },
  '192.0.0.0/16': {},
  '192.0.2.0/24': { mode: 'step_up' as const },
  '192.0.2.9': { mode: 'no_access' as const },
  '2001:db8::/32': {},
};

let fixture: Fixture;
let core: Fixture['core'];
beforeAll(async () => {
  fixture = await openFixture({ config: { names, clients } });
  core = fixture.core;
});
afterAll(() => fixture.close());

/** By a caller whose word is believed. */
const find = (client?: string, address = '203.0.113.1', { clients } = core) =>
  clients.find({ address, choosesPolicy: true }, client);
const apply = (policy: ClientPolicy, groups: readonly Dn[] = [], address = '203.0.113.1') =>
  policy.apply(new Map(), { groups, address, isElsewhere: false });
const modeOf = async (...asked: Parameters<typeof apply>) => (await apply(...asked)).mode;
const settings = async (groups: readonly Dn[], address?: string) =>
  Object.fromEntries((await apply(find('vpn'), groups, address)).settings);

describe('find', () => {
  it.each([
    ['vpn', '203.0.113.1', 'vpn'],
    ['VPN', '203.0.113.1', 'vpn'],
    [undefined, '192.0.2.1', '192.0.2.0/24'],
    [undefined, '::ffff:192.0.2.1', '192.0.2.0/24'],
    [undefined, '192.0.2.9', '192.0.2.9'],
    [undefined, '::ffff:192.0.2.9', '192.0.2.9'],
    [undefined, '192.0.3.1', '192.0.0.0/16'],
    ['192.0.2.9', '203.0.113.1', '192.0.2.9'],
    [undefined, '2001:DB8:0::5', '2001:db8::/32'],
    [undefined, '203.0.113.1', '203.0.113.1'],
    ['portal', '192.0.2.9', 'portal'],
    ['constructor', '203.0.113.1', 'constructor'],
  ])('with the client %s from %s is of %s', (client, address, name) => {
    expect(find(client, address).name).toBe(name);
  });

  it('gives the defaults to unknown names', async () => {
    const unknown = find('portal');
    expect(unknown.defaultDomain).toBeUndefined();
    expect(unknown.allowsOption('-LDAP')).toBe(false);
    expect(unknown.admits([])).toBe(true);
    const below = new Map([['Otp.LoginMode', 'LDAP']]);
    const whereabouts = { groups: [staff], address: '10.1.2.3', isElsewhere: false };
    expect(await unknown.apply(below, whereabouts)).toEqual({
      ...{ settings: below, mode: 'default', isRaised: false },
    });
  });
});

describe('a policy', () => {
  it('has its domain and its options', () => {
    expect(find('vpn').defaultDomain).toBe('Default');
    expect(['-LDAP', '-ldap', '-U2F'].map((option) => find('vpn').allowsOption(option))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('admits the members of its groups, and of no excluded one', () => {
    const admits = (...groups: Dn[]) => find('vpn').admits(groups);
    expect([admits(), admits(staff), admits(inOtherWords), admits(guests), admits(staff, guests)]).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('lays its settings over each other: of the client, of groups, of the narrowest network', async () => {
    const own = { 'Otp.LoginMode': 'OTP', 'Otp.EnableLogin': 'Yes', 'Otp.ListSize': '3' };
    expect(await settings([])).toEqual(own);
    expect(await settings([inOtherWords])).toEqual({ ...own, 'Otp.OTPLength': '8' });
    expect(await settings([guests, staff], '10.1.2.3')).toEqual({
      ...own,
      'Otp.OTPLength': '10',
      'Otp.LoginMode': 'LDAP',
    });
    expect(await settings([], '10.2.0.1')).toEqual({ ...own, 'Otp.LoginMode': 'LDAPOTP' });
    expect(await settings([], '2001:db8::1')).toEqual(own);
  });
});

describe('Set_Client_Mode', () => {
  const set = async (params: object) => (await fixture.call('Set_Client_Mode', params)).result;
  const mode = (groups: readonly Dn[] = [], address?: string) => modeOf(find('vpn'), groups, address);

  it('is false for a client that is not configured', async () => {
    for (const client of ['portal', '', '192.0.2.1', 'constructor'])
      expect(await set({ client, mode: 3 })).toBe(false);
    expect(await modeOf(find('portal'))).toBe('default');
  });

  it('goes before the configured mode, on every node', async () => {
    const other = await fixture.another({ config: { names, clients } });
    expect(await modeOf(find('192.0.2.1'))).toBe('step_up');
    expect(await set({ client: '192.0.2.0/24', mode: 0 })).toBe(true);
    expect(await modeOf(find(undefined, '192.0.2.1', other.core))).toBe('default');
    for (const [number, word] of ['default', 'step_down', 'step_up', 'no_access'].entries()) {
      expect(await set({ client: 'VPN', mode: String(number) })).toBe(true);
      expect(await modeOf(find('vpn', '203.0.113.1', other.core))).toBe(word);
    }
    await set({ client: 'vpn', mode: 0 });
    await other.close();
  });

  it('ends when its time is over', async () => {
    expect(await set({ client: 'vpn', mode: 3, timeout: 60 })).toBe(true);
    fixture.clock.advance(59_999);
    expect(await mode()).toBe('no_access');
    fixture.clock.advance(1);
    expect(await mode()).toBe('default');
    await set({ client: 'vpn', mode: 2, timeout: 0 });
    fixture.clock.advance(366 * 86_400_000);
    expect(await mode()).toBe('step_up');
    await set({ client: 'vpn', mode: 0 });
  });

  it('leaves out whom a policy for a group or a network is for, or not, as it is told', async () => {
    const [member, inNetwork, both] = [
      () => mode([inOtherWords], '203.0.113.1'),
      () => mode([], '10.1.2.3'),
      () => mode([staff], '10.1.2.3'),
    ];
    const [none, all] = ['default', 'no_access'];
    for (const [params, expected] of [
      [{}, [all, none, none, none]],
      [{ group: true }, [all, all, none, none]],
      [{ network: '1' }, [all, none, all, none]],
      [{ group: 'True', network: true }, [all, all, all, all]],
      [{ group: false, network: 0 }, [all, none, none, none]],
    ] as const) {
      expect(await set({ client: 'vpn', mode: 3, ...params })).toBe(true);
      expect(await Promise.all([mode(), member(), inNetwork(), both()])).toEqual(expected);
    }
    await set({ client: 'vpn', mode: 0 });
    expect(await Promise.all([mode(), member(), inNetwork(), both()])).toEqual([none, none, none, none]);
  });

  it.each([
    [{ mode: 4 }, 'Parameter mode is not from 0 to 3'],
    [{ mode: 'off' }, 'Parameter mode not Integer'],
    [{ mode: 1, network: '10.0.0.0/8' }, 'Parameter network not Boolean'],
    [{ mode: 1, group: staff.toString() }, 'Parameter group not Boolean'],
    [{ mode: 1, timeout: 1e9 }, 'Parameter timeout is not from 0 to 315360000'],
    [{}, 'Missing parameter mode'],
  ])('refuses %j', async (params, data) => {
    expect((await fixture.call('Set_Client_Mode', { client: 'vpn', ...params })).error).toMatchObject({
      data,
    });
  });
});
