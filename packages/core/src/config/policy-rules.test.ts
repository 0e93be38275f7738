/** Settings of calling systems: those that are refused at the start, and the messages. */
import { describe, expect, it } from 'vitest';
import { readServiceConfig } from '../index.ts';
import { ConfigError } from './problems.ts';

const domains = { Default: { base: 'dc=example,dc=com' } };
const names = { Otp: 'ExampleOTP', otp: 'exampleotp' };
const sha256 = 'ab'.repeat(32);

function faultsOf(raw: object): string {
  try {
    readServiceConfig({ domains, ...raw });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('clients', () => {
  it('sets nothing by default', () => {
    expect(readServiceConfig({ domains, clients: { vpn: {} } }).clients).toEqual({
      vpn: {
        settings: {},
        allowed_groups: [],
        excluded_groups: [],
        allowed_options: [],
        mode: 'default',
        groups: [],
        networks: [],
        addresses: [],
      },
    });
  });

  it.each([
    'vpn',
    'VPN gateway (main)',
    '192.0.2.1',
    '192.0.2.0/24',
    '2001:db8::/32',
    '::1',
    'a/b',
    'dc1.example',
  ])('accepts the name %s', (name) => {
    expect(faultsOf({ clients: { [name]: {} } })).toBe('');
  });

  it.each([
    '',
    ' vpn',
    'vpn ',
    'v\nn',
    '192.0.2.0/33',
    '192.0.2',
    '192.0.2.999',
    '2001:db8::/129',
    'x'.repeat(129),
  ])('refuses the name %j', (name) => {
    expect(faultsOf({ clients: { [name]: {} } })).toContain('is neither a name of 1 to 128 characters');
  });

  it.each([
    [
      { settings: { 'Otp.LoginMood': 'OTP' } },
      'clients.vpn.settings.Otp.LoginMood is not a setting; did you mean Otp.LoginMode? docs/reference',
    ],
    [
      { settings: { 'Otp.LoginMode': 'SESAME' } },
      'clients.vpn.settings.Otp.LoginMode is not one of LDAP, OTP,',
    ],
    [{ settings: { LoginMode: 'OTP' } }, 'clients.vpn.settings.LoginMode is not of the form App.Name'],
    [
      { default_domain: 'Staff' },
      'clients.vpn.default_domain is not among domains; name one of them: Default',
    ],
    [{ allowed_groups: ['staff'] }, 'clients.vpn.allowed_groups[0] is not a DN; write a full DN'],
    [{ excluded_groups: [''] }, 'clients.vpn.excluded_groups[0] is not a DN'],
    [
      { allowed_options: ['-OTP'] },
      'clients.vpn.allowed_options[0] is none of its values; write one of -LDAP, -U2F',
    ],
    [
      { mode: 'off' },
      'clients.vpn.mode is none of its values; write one of default, step_down, step_up, no_access',
    ],
    [{ groups: [{ group: 'staff' }] }, 'clients.vpn.groups[0].group is not a DN'],
    [
      { groups: [{ group: 'cn=a,o=b', settings: { 'Otp.ListSize': 'many' } }] },
      'clients.vpn.groups[0].settings.Otp.ListSize is not an integer from 1 to 100',
    ],
    [
      { settings: { 'Otp.MaxTries': 3 } },
      'clients.vpn.settings.Otp.MaxTries is not changed by client policies: whoever chose its client would choose how often to guess; set it in settings, for a group or for a user',
    ],
    [
      { groups: [{ group: 'cn=a,o=b', settings: { 'Otp.BlockTime': 0 } }] },
      'clients.vpn.groups[0].settings.Otp.BlockTime is not changed by client policies',
    ],
    [
      { networks: [{ network: '10.0.0.0/8', settings: { 'Otp.MaxTries': 9 } }] },
      'clients.vpn.networks[0].settings.Otp.MaxTries is not changed by client policies',
    ],
    [{ addresses: ['10.0.0.300'] }, 'clients.vpn.addresses[0] is not an address or network; write'],
    [
      { allowed_settings: ['Otp.OTPType', 'ReplyData'] },
      'clients.vpn.allowed_settings[1] is a setting that no request sets, whoever calls; set it in the settings of the client',
    ],
    [
      { allowed_settings: ['Otp.LoginMood'] },
      'clients.vpn.allowed_settings[0] is not a setting; did you mean Otp.LoginMode? docs/reference',
    ],
    [{ allowed_settings: ['Login Mode'] }, 'clients.vpn.allowed_settings[0] is not the name of a setting'],
    [{ settings: { 'Otp.OTPLength': 7 } }, 'clients.vpn.settings.Otp.OTPLength is not one of 6, 8, 10'],
    [
      { settings: { 'Otp.OTPType': 'VOICE' } },
      'clients.vpn.settings.Otp.OTPType cannot be VOICE in this version, which knows TOKEN, LIST, SMS, MAIL',
    ],
    [
      { settings: { 'Otp.ValidFrom': '2026-02-01 00:00:00', 'Otp.ValidTo': '2026-01-01 00:00:00' } },
      'clients.vpn.settings.Otp.ValidTo is not after Otp.ValidFrom, which is 2026-02-01 00:00:00; set a later',
    ],
    [
      { networks: [{ network: '10.0.0.0/33' }] },
      'clients.vpn.networks[0].network is not an address or network; write',
    ],
    [
      { networks: [{ network: '10.0.0.0/8', settings: { 'Otp.Nothing': 1 } }] },
      'clients.vpn.networks[0].settings.Otp.Nothing is not a setting',
    ],
    [{ setings: {} }, 'clients.vpn.setings is not a known key; did you mean settings?'],
  ])('refuses %j', (vpn, fault) => {
    expect(faultsOf({ clients: { vpn } })).toContain(fault);
  });

  it('refuses two spellings of one name', () => {
    expect(faultsOf({ clients: { vpn: {}, VPN: {} } })).toContain(
      'clients.VPN differs from another client in upper',
    );
  });

  it('refuses the limits of the installation’s words, too', () => {
    const fault = 'clients.vpn.settings.ExampleOTP.MaxTries is not changed by client policies';
    expect(faultsOf({ names, clients: { vpn: { settings: { 'ExampleOTP.MaxTries': 3 } } } })).toContain(
      fault,
    );
    const reserved = { allowed_settings: ['ExampleOTP.EnableLogin'] };
    expect(faultsOf({ names, clients: { vpn: reserved } })).toContain('is a setting that no request sets');
  });

  it('refuses an address of two clients, and accepts one within another’s network', () => {
    const two = (vpn: string[], portal: string[]) =>
      faultsOf({ clients: { vpn: { addresses: vpn }, portal: { addresses: portal } } });
    expect(two(['10.0.0.7'], ['10.1.0.0/16', '::ffff:10.0.0.7'])).toBe(
      'clients.portal.addresses[1] is among the addresses of vpn as well; keep it with one of the two clients',
    );
    expect(two(['10.0.0.0/8'], ['10.0.0.7'])).toBe('');
    expect(two(['10.0.0.7', '10.0.0.7'], [])).toBe('');
  });

  it("takes settings in the installation's words", () => {
    expect(faultsOf({ names, clients: { vpn: { settings: { 'ExampleOTP.LoginMode': 'OTP' } } } })).toBe('');
  });
});

describe('websrvs', () => {
  it('accepts our words and those of the installation', () => {
    expect(readServiceConfig({ domains, websrvs: { otp: {} } }).websrvs).toEqual({
      otp: { enabled: true, require: 'none' },
    });
    expect(faultsOf({ names, websrvs: { exampleotp: {}, sshkey: {} } })).toBe('');
  });

  it.each([
    [{ opt: {} }, 'websrvs.opt is not a web service; write one of exampleotp, sshkey,'],
    [{ otp: {}, exampleotp: {} }, 'websrvs.exampleotp is the same service as otp; keep one of the two'],
    [
      { otp: { require: 'password' } },
      'websrvs.otp.require is none of its values; write one of none, api_key,',
    ],
    [{ otp: { default_domain: 'Staff' } }, 'websrvs.otp.default_domain is not among domains'],
    [{ otp: { enabled: 'perhaps' } }, 'websrvs.otp.enabled is text; write true or false'],
  ])('refuses %j', (websrvs, fault) => {
    expect(faultsOf({ names, websrvs })).toContain(fault);
  });
});

describe('api_keys', () => {
  it('opens every service to every address by default', () => {
    expect(readServiceConfig({ domains, api_keys: { 7: { sha256 } } }).api_keys).toEqual({
      7: { sha256, clients: [] },
    });
  });

  it.each([
    ['seven', {}, 'api_keys.seven is not a number; rename it'],
    ['07', {}, 'api_keys.07 is not a number'],
    ['7', { sha256: 'AB'.repeat(32) }, 'api_keys.7.sha256 is not the SHA-256 of a key'],
    ['7', { sha256: undefined }, 'api_keys.7.sha256 is missing'],
    ['7', { services: ['opt'] }, 'api_keys.7.services[0] is not a web service; write one of otp,'],
    ['7', { clients: ['vpn.example.com'] }, 'api_keys.7.clients[0] is not an address or network'],
    ['7', { client: 'vpn' }, 'api_keys.7.client is not among clients; describe it in clients'],
  ])('refuses %s: %j', (id, row, fault) => {
    expect(faultsOf({ api_keys: { [id]: { sha256, ...row } } })).toContain(fault);
  });

  it('never repeats a digest', () => {
    expect(
      faultsOf({ api_keys: { 7: { sha256: `${sha256}0`, services: [sha256], clients: [sha256] } } }),
    ).not.toContain(sha256);
  });
});
