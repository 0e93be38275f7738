/** Settings that nothing acts on: refused wherever they are set, or stored with a warning in the deployed dialect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { ineffectiveSettings } from '../../config/references.ts';
import { vocabularyOf } from '../../doors/manager/vocabulary.ts';
import { ConfigError, readServiceConfig } from '../../index.ts';
import type { AnyApplication } from '../../table/application.ts';
import type { Setting, SettingKind } from '../../table/setting-row.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const rows: readonly Setting[] = Object.values<AnyApplication>(bundled).flatMap(({ settings }) =>
  Object.values(settings),
);
const unsupported = rows.filter((row) => row.unsupported);

const candidates = (type: SettingKind): readonly string[] => {
  if (type.kind === 'boolean') return ['Yes', 'No'];
  if (type.kind === 'integer') return [String(type.min), String(type.max)];
  return type.kind === 'word' ? type.words : ['TOTP'];
};
/** A value of the setting that this version does nothing of. */
const ignoredOf = ({ type, unsupported: why }: Setting): string =>
  candidates(type).find((value) => !why?.holds.includes(value)) ?? '';

describe('a setting without effect', () => {
  let standard: Fixture;
  let deployed: Fixture;
  beforeAll(async () => {
    standard = await openFixture();
    await standard.call('Activate_LDAP_Object', { dn: standard.users.alice.dn });
    deployed = await standard.another({
      config: {
        dialect: 'deployed',
        settings: { 'HelpDesk.AllowOtp': 'No' },
        clients: { vpn: { networks: [{ network: '192.0.2.0/24', settings: { 'Otp.PushLogin': true } }] } },
      },
    });
  });
  afterAll(async () => {
    await deployed.close();
    await standard.close();
  });
  const set = (node: Fixture, settings: object) =>
    node.answer({
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'Set_User_Settings' },
        params: { dn: standard.users.alice.dn, settings },
      },
    });

  it.each(unsupported.map((row) => [row.name, row] as const))(
    'is refused or stored with a warning, by dialect: %s',
    async (name, row) => {
      const value = ignoredOf(row);
      expect(value).not.toBe('');
      const { because = '', holds = [] } = row.unsupported ?? {};
      const refused = await set(standard, { [name]: value });
      expect(refused.body).toMatchObject({
        error: { reason: 'invalid_params', data: expect.stringMatching(/ cannot be .+ in this version: /) },
      });
      expect(refused.body).toMatchObject({ error: { data: expect.stringContaining(because) } });
      for (const held of holds) {
        const { body, headers } = await set(standard, { [name]: held });
        expect([body, headers]).toMatchObject([{ result: 1 }, {}]);
        expect(headers.warning).toBeUndefined();
      }
      const stored = await set(deployed, { [name]: value });
      expect(stored.body).toMatchObject({ result: true });
      expect(stored.headers.warning).toBe(`299 - "${name} has no effect in this version: ${because}"`);
      expect(deployed.log.lines).toContainEqual(
        expect.objectContaining({
          level: 'warn',
          message: `a setting was stored, and has no effect in this version: ${because}`,
          fields: { dn: standard.users.alice.dn, name },
        }),
      );
      const { dn } = standard.users.alice;
      const asked = { dn, settings: [name] };
      expect(await deployed.call('Get_User_Settings', asked)).toMatchObject({ result: { [name]: value } });
      expect(await deployed.call('Explain_User_Settings', asked)).toMatchObject({
        result: { [name]: { value, layer: 'user', unsupported: because } },
      });
      expect((await set(deployed, { [name]: null })).headers).toEqual({});
    },
  );

  it('is refused in the configuration with its reason, in every layer', () => {
    const settings = { 'HelpDesk.AllowOtp': 'No' };
    const domains = { Default: { base: 'dc=example,dc=org' } };
    const layers = {
      settings,
      groups: [{ group: 'cn=x,dc=example,dc=org', settings }],
      networks: [{ network: '192.0.2.0/24', settings }],
    };
    const read = (dialect: 'standard' | 'deployed') =>
      readServiceConfig({ dialect, domains, settings, clients: { vpn: layers } });
    const why = 'HelpDesk.AllowOtp cannot be No in this version: what support staff may do is in their role';
    expect(() => read('standard')).toThrow(ConfigError);
    for (const path of ['settings', 'clients.vpn.settings', 'clients.vpn.groups[0].settings'])
      expect(() => read('standard')).toThrow(`${path}.${why}`);
    expect(ineffectiveSettings(read('deployed'), vocabularyOf(bundled))).toHaveLength(4);
  });

  it('is warned of when a service that stores it opens', () => {
    const warned = deployed.log.lines.map(({ message }) => message);
    expect(warned).toContainEqual(expect.stringMatching(/^settings\.HelpDesk\.AllowOtp has no effect/));
    expect(warned).toContainEqual(
      expect.stringMatching(/^clients\.vpn\.networks\[0\]\.settings\.Otp\.PushLogin has no effect/),
    );
  });
});

it('excludes the settings of the catalogue that work', () => {
  const names = unsupported.map(({ name }) => name);
  for (const name of [
    'PwReset.PasswordStrength',
    'PwReset.PasswordByLength',
    'SshKey.KeyType',
    'SshKey.RecordSessions',
  ])
    expect(names).not.toContain(name);
  expect(names).toHaveLength(58);
});
