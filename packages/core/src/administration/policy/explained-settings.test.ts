/** Explain_User_Settings: the layers (docs/concepts/policies-and-settings.md#layers), and what the one that counts covers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const staff = `cn=staff,ou=groups,${base}`;
const setting = 'Otp.LoginMode';

let fixture: Fixture;
beforeAll(async () => {
  const role = {
    methods: ['*'],
    subtrees: [people],
    read: ['*'],
    write: [],
    create: [],
  };
  fixture = await openFixture({
    config: {
      roles: { desk: { ...role, members: [`uid=bob,${people}`] } },
      settings: { [setting]: 'LDAP' },
      clients: {
        vpn: {
          settings: { [setting]: 'LDAPOTP' },
          groups: [{ group: staff, settings: { [setting]: 'OTP' } }],
          networks: [{ network: '192.0.2.0/24', settings: { [setting]: 'LDAP' } }],
        },
      },
    },
  });
  await call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
  await call('Create_LDAP_Object', {
    dn: staff,
    attrs: { objectclass: ['groupOfNames', 'webadmgroup'], member: fixture.users.alice.dn },
  });
  await call('Set_User_Settings', { dn: staff, settings: { [setting]: 'OTP' } });
});
afterAll(() => fixture.close());

async function call(method: string, params: object, as?: Person): Promise<unknown> {
  const { result, error } = await fixture.call(method, params, as && { as });
  if (error) throw new Error(String(error.data));
  return result;
}

const explained = (more: object = {}, as?: Person) =>
  call('Explain_User_Settings', { dn: fixture.users.alice.dn, settings: [setting], ...more }, as);

const ofGroup = { value: 'OTP', layer: 'group', from: staff };
const preset = { value: 'LDAPOTP', layer: 'application', from: null };
const installed = { value: 'LDAP', layer: 'installation', from: null };

const below = [ofGroup, installed, preset];

it('names the layer that counts and those below it, the strongest first', async () => {
  expect(await explained()).toEqual({ [setting]: { ...ofGroup, overridden: [installed, preset] } });
});

it('has the user’s own above, and then what a client’s policy says: of a network only with the address', async () => {
  const { alice } = fixture.users;
  await call('Set_User_Settings', { dn: alice.dn, settings: { [setting]: 'LDAP' } });
  const own = { value: 'LDAP', layer: 'user', from: alice.dn };
  const vpn = { value: 'LDAPOTP', layer: 'client', from: 'vpn' };
  const byGroup = { value: 'OTP', layer: 'client by group', from: staff };
  const byNetwork = { value: 'LDAP', layer: 'client by network', from: 'vpn' };
  expect(await explained()).toMatchObject({ [setting]: own });
  expect(await explained({ client: 'VPN' })).toMatchObject({
    [setting]: { ...byGroup, overridden: [vpn, own, ...below] },
  });
  expect(await explained({ client: 'vpn', source: '192.0.2.9' })).toMatchObject({
    [setting]: { ...byNetwork, overridden: [byGroup, vpn, own, ...below] },
  });
  await call('Set_User_Settings', { dn: alice.dn, settings: { [setting]: null } });
});

it('agrees with Get_User_Settings', async () => {
  const all = await call('Explain_User_Settings', { dn: fixture.users.alice.dn });
  const values = Object.entries(all as Record<string, { value: string }>).map(([name, { value }]) => [
    name,
    value,
  ]);
  expect(Object.fromEntries(values)).toEqual(await call('Get_User_Settings', { dn: fixture.users.alice.dn }));
});

it('does not name groups that an administrator may not see', async () => {
  const shown = await explained({ client: 'vpn' }, fixture.users.bob);
  expect(shown).toMatchObject({ [setting]: { layer: 'client by group', value: 'OTP', from: null } });
  expect(JSON.stringify(shown)).not.toContain('staff');
  expect(shown).toMatchObject({
    [setting]: { overridden: expect.arrayContaining([{ ...ofGroup, from: null }]) },
  });
});

it('refuses a client that there is not', async () => {
  await expect(explained({ client: 'none' })).rejects.toThrow('there is no such client');
});
