import { describe, expect, it } from 'vitest';
import { configJsonSchema, readConfig, readServiceConfig } from '../index.ts';
import { ConfigError, serviceSettings } from './config.ts';
import { childNode } from './schema-node.ts';

const domains = { Default: { base: 'ou=People,dc=example,dc=com' } };
const embedded = { type: 'embedded', base: 'dc=example,dc=com' };
const ldap = {
  type: 'ldap',
  urls: ['ldaps://ldap.example.com'],
  base: 'dc=example,dc=com',
  bind_dn: 'cn=service,dc=example,dc=com',
  bind_password_file: 'password',
};

/** Returns the faults of a configuration for `createService`: `path message; cure`, one a line. */
function faultsOf(raw: unknown, read: (raw: unknown) => unknown = readServiceConfig): string {
  try {
    read(raw);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

const serverFaults = (raw: object) => faultsOf({ domains, directory: embedded, ...raw }, readConfig);

describe('readServiceConfig', () => {
  it('needs a domain only', () => {
    const config = readServiceConfig({ domains });
    expect(config).toMatchObject({
      dialect: 'standard',
      manager_auth: 'UID',
      manager_session: 0,
      manager_clients: [],
      default_domain: 'Default',
      limits: { body_bytes: 1_048_576, batch_calls: 1000, depth: 32, login_failure_delay_ms: 1000 },
    });
    expect(config.domains.Default).toEqual({
      base: 'ou=People,dc=example,dc=com',
      aliases: [],
      login_attributes: ['uid', 'sAMAccountName', 'userPrincipalName'],
      allowed_groups: [],
      excluded_groups: [],
    });
  });

  it('reads its own result again', () => {
    const config = readServiceConfig({ domains, settings: { 'Otp.OTPLength': 8, 'Otp.EnableLogin': true } });
    expect(config.settings).toEqual({ 'Otp.OTPLength': '8', 'Otp.EnableLogin': true });
    expect(readServiceConfig(config)).toEqual(config);
  });

  it('takes the first domain when none is called Default', () => {
    const { base } = domains.Default;
    expect(readServiceConfig({ domains: { Staff: { base }, Guests: { base } } }).default_domain).toBe(
      'Staff',
    );
    expect(readServiceConfig({ domains: { Staff: { base }, default: { base } } }).default_domain).toBe(
      'default',
    );
    expect(
      readServiceConfig({ domains: { A: { base }, B: { base } }, default_domain: 'b' }).default_domain,
    ).toBe('B');
  });

  it('takes text for numbers, flags and lists, as the environment gives them', () => {
    const config = readConfig({
      domains,
      directory: { ...ldap, start_tls: 'no', urls: '"ldaps://a.example", "ldaps://b.example:1636"' },
      manager_session: '600',
      manager_clients: ' "10.0.0.0/8" , "192.168.1.5"',
      super_admins: 'cn=admin,dc=example,dc=com',
    });
    expect(config.manager_session).toBe(600);
    expect(config.manager_clients).toEqual(['10.0.0.0/8', '192.168.1.5']);
    expect(config.super_admins).toEqual(['cn=admin,dc=example,dc=com']);
    expect(config.directory).toMatchObject({
      start_tls: false,
      urls: ['ldaps://a.example', 'ldaps://b.example:1636'],
    });
  });

  it.each([
    ['nothing', undefined, 'the configuration is missing; write a map'],
    ['no domain', {}, 'domains is missing; write a map, as in {"Default":{"base":"dc=example,dc=com"}}'],
    ['an empty map of domains', { domains: {} }, 'domains names no domain; write at least one'],
    [
      'a misspelt key',
      { domains, manager_sesion: 1 },
      'manager_sesion is not a known key; did you mean manager_session?',
    ],
    ['an unknown key', { domains, colour: 1 }, 'colour is not a known key; known keys here: dialect, limits'],
    [
      'an unknown key below',
      { domains: { D: { base: 'o=x', groups: [] } } },
      'domains.D.groups is not a known key',
    ],
    [
      'a wrong type',
      { domains, manager_session: 'soon' },
      'manager_session is text; write a whole number from 0 to 86400, or leave it out for 0',
    ],
    ['a number out of range', { domains, manager_session: 86_401 }, 'manager_session is out of range; write'],
    [
      'a value that is none',
      { domains, dialect: 'french' },
      'dialect is none of its values; write one of standard, deployed',
    ],
    ['an empty value', { domains, super_admins: null }, 'super_admins is empty; write a list'],
    [
      'a base that is no DN',
      { domains: { D: { base: 'people' } } },
      'domains.D.base is not a DN; write a full DN',
    ],
    ['the root as a base', { domains: { D: { base: '' } } }, 'domains.D.base is not a DN'],
    ['a domain name', { domains: { 'a b': { base: 'o=x' } } }, 'is not a name of 1 to 64'],
    [
      'a setting without application',
      { domains, settings: { LoginMode: 'OTP' } },
      'settings.LoginMode is not of the form App.Name; rename it',
    ],
    [
      'a setting that is a list',
      { domains, settings: { 'Otp.X': [] } },
      'settings.Otp.X is an empty list; write text',
    ],
    [
      'a setting that no application has',
      { domains, settings: { 'Otp.LoginMood': 'OTP' } },
      'settings.Otp.LoginMood is not a setting; did you mean Otp.LoginMode? docs/reference/application-settings.md',
    ],
    [
      'a value that the setting does not take',
      { domains, settings: { 'Otp.LoginMode': 'SESAME' } },
      'settings.Otp.LoginMode is not one of LDAP, OTP,',
    ],
    ['super_admins that are no DN', { domains, super_admins: ['root'] }, 'super_admins[0] is not a DN'],
    [
      'a default_domain that is none',
      { domains, default_domain: 'Staff' },
      'default_domain is not among domains; name one of them: Default',
    ],
    [
      'domains that differ in case',
      { domains: { a: { base: 'o=x' }, A: { base: 'o=x' } } },
      'domains.A differs from another domain',
    ],
    [
      'an alias that is a name',
      { domains: { a: { base: 'o=x' }, b: { base: 'o=x', aliases: ['A'] } } },
      'domains.b.aliases[0] is the name or an alias of a domain already',
    ],
    [
      'an alias of two domains',
      { domains: { a: { base: 'o=x', aliases: ['c.org'] }, b: { base: 'o=x', aliases: ['c', 'C.ORG'] } } },
      'domains.b.aliases[1] is the name or an alias of a domain already',
    ],
    [
      'an alias that no login can be split at',
      { domains: { a: { base: 'o=x', aliases: ['c d'] } } },
      'domains.a.aliases[0] is not a name of 1 to 64 letters',
    ],
  ])('refuses %s', (_, raw, fault) => {
    expect(faultsOf(raw)).toContain(fault);
  });

  it('names every problem at once', () => {
    const faults = faultsOf({ dialect: 1, manager_session: -1, colour: 'red' }).split('\n');
    expect(faults).toHaveLength(4);
  });

  it.each(['10.0.0.0/8', '192.168.1.5', '::1', '2001:db8::/32', 'localhost', 'admin-1.example.com'])(
    'knows the client %s',
    (client) => {
      expect(readServiceConfig({ domains, manager_clients: [client] }).manager_clients).toEqual([client]);
    },
  );

  it.each([
    '10.0.0.999',
    '10.0.0.0/33',
    '2001:db8::/129',
    '10.0.0.0/8/8',
    'a b',
    '-x.example',
    '10.0.0.1,10.0.0.2',
    '*',
  ])('refuses the client %s', (client) => {
    expect(faultsOf({ domains, manager_clients: [client] })).toContain(
      'manager_clients[0] is not a host name',
    );
  });
});

describe('an origin', () => {
  it.each(['https://*.example.com', 'http://portal.example.com', 'https://portal.example.com/path', 'null'])(
    '%s, which no browser sends, is refused',
    (origin) => {
      for (const key of ['ws_origins', 'manager_origins'])
        expect(faultsOf({ domains, [key]: [origin] })).toContain(
          `${key}[0] is not an https URL of one host without a path; write for example "https://login.example.com"`,
        );
    },
  );
});

describe('the login of administrators', () => {
  const clients = ['10.0.0.0/8'];
  const relying_party = { id: 'example.org', name: 'Example' };

  it('follows auth_mode', () => {
    expect(readServiceConfig({ domains, auth_mode: 'DN' }).manager_auth).toBe('DN');
    expect(readServiceConfig({ domains, auth_mode: 'DN', manager_auth: 'UID' }).manager_auth).toBe('UID');
  });

  const allows = (settings: object) => faultsOf({ domains, ...settings }) === '';

  describe.each(['PKI', 'OTP', 'U2F', 'MFA'])(
    'admin_auth %s needs PKI, or UID and a list of clients',
    (admin_auth) => {
      it.each([
        [{ manager_auth: 'PKI' }, true],
        [{ manager_auth: 'PKI', manager_clients: clients }, true],
        [{ manager_auth: 'UID', manager_clients: clients }, true],
        [{ manager_auth: 'UID', manager_clients: [] }, false],
        // a list of everybody is no restriction
        [{ manager_auth: 'UID', manager_clients: [...clients, '0.0.0.0/0'] }, false],
        [{ manager_auth: 'UID', manager_clients: ['::/0'] }, false],
        [{ manager_auth: 'UID' }, false],
        [{ manager_auth: 'DN', manager_clients: clients }, false],
        [{ manager_auth: 'DN' }, false],
        // without manager_auth it is auth_mode, without that UID
        [{ auth_mode: 'PKI' }, true],
        [{ auth_mode: 'DN', manager_clients: clients }, false],
        [{ auth_mode: 'UID', manager_clients: clients }, true],
        [{ auth_mode: 'PKI', manager_auth: 'DN', manager_clients: clients }, false],
        [{ auth_mode: 'PKI', manager_auth: 'UID' }, false],
        [{ auth_mode: 'DN', manager_auth: 'PKI' }, true],
        [{ manager_clients: clients }, true],
        [{}, false],
      ])('%j: %s', (settings, isAllowed) => {
        expect(allows({ admin_auth, relying_party, ...settings })).toBe(isAllowed);
      });
    },
  );

  it('gets an error with the cure', () => {
    expect(faultsOf({ domains, admin_auth: 'OTP' })).toContain(
      'admin_auth is OTP, and the Manager with a password alone would be the way around it',
    );
  });

  it.each(['UID', 'DN'])('admin_auth %s needs nothing', (admin_auth) => {
    for (const manager_auth of ['UID', 'DN', 'PKI', undefined])
      expect(allows({ admin_auth, manager_auth })).toBe(true);
  });
});

describe('names', () => {
  it('lets an application and its service share a word', () => {
    const names = { Otp: 'ExampleOTP', otp: 'exampleotp' };
    expect(readServiceConfig({ domains, names }).names).toMatchObject({ ...names, Sms: 'Sms' });
    expect(faultsOf({ domains, names: { Otp: 'OTP', sso: 'SSO' } })).toBe('');
  });

  it.each([
    [{ Otp: 'Auth', Sms: 'auth' }, 'names.Sms is a word that otp has already'],
    [{ Otp: 'Sms' }, 'names.Otp is a word that sms has already'],
    [{ otp: 'SSHKEY' }, 'names.otp is a word that sshkey has already'],
    [{ Otp: 'Manager' }, 'names.Otp is a word that manager has already'],
    [{ Otp: '1x' }, 'names.Otp is not a word of 1 to 32'],
    [{ Opt: 'x' }, 'names.Opt is not a known key; did you mean'],
  ])('refuses %j', (names, fault) => {
    expect(faultsOf({ domains, names })).toContain(fault);
  });
});

describe('readConfig', () => {
  it('fills in what the servers need', () => {
    expect(readConfig({ domains, directory: ldap })).toMatchObject({
      event_log_days: 365,
      directory: { type: 'ldap', start_tls: false, vendor: 'auto', timeout_s: 10, connections: 4 },
      data: './data',
      keys_file: './data/keys',
      manager: { host: '127.0.0.1', port: 4443 },
      ws: { host: '127.0.0.1', port: 8443 },
      log: { level: 'info' },
    });
  });

  it('reads its own result again', () => {
    const config = readConfig({ domains, directory: ldap, data: '/srv/data' });
    expect(readConfig(config)).toEqual(config);
  });

  it.each([
    [
      'no kind of directory',
      { directory: { base: 'o=x' } },
      'directory.type is missing; write one of ldap, embedded',
    ],
    [
      'an unknown kind',
      { directory: { type: 'nis' } },
      'directory.type is none of its values; write one of ldap, embedded',
    ],
    [
      'a key of the other kind',
      { directory: { ...embedded, urls: [] } },
      'directory.urls is not a known key; known keys here: type, base',
    ],
    [
      'no directory',
      { directory: undefined },
      'directory is missing; write a map, as in {"type":"embedded","base":"dc=example,dc=com"}',
    ],
    ['no server', { directory: { ...ldap, urls: [] } }, 'directory.urls is an empty list; write a list'],
    [
      'a URL of another kind',
      { directory: { ...ldap, urls: ['http://x'] } },
      'directory.urls[0] is not an LDAP URL',
    ],
    [
      'passwords in clear',
      { directory: { ...ldap, urls: ['ldap://x'] } },
      'directory.urls[0] would send passwords in clear; use ldaps://',
    ],
    [
      'TLS twice',
      { directory: { ...ldap, start_tls: true } },
      'directory.urls[0] is ldaps:// and start_tls is on',
    ],
    [
      'an identity without password',
      { directory: { ...ldap, bind_password_file: undefined } },
      'directory.bind_password_file is missing; name a file with the password of bind_dn',
    ],
    ['a password of nobody', { directory: { ...ldap, bind_dn: undefined } }, 'directory.bind_dn is missing'],
    [
      'two passwords',
      { directory: { ...ldap, bind_password: 'x' } },
      'directory.bind_password_file stands beside',
    ],
    [
      'a number as password',
      { directory: { ...ldap, bind_password: 12_345 } },
      'directory.bind_password is a number; write text (a number in quotes)',
    ],
    [
      'a proxy that is no address',
      { reverse_proxies: ['proxy.example'] },
      'reverse_proxies[0] is not an address or',
    ],
    ['a header that is none', { proxy_headers: { address: 'a b' } }, 'proxy_headers.address is not the name'],
    [
      'a header of nobody',
      { proxy_headers: { certificate: 'Client-Cert' } },
      'proxy_headers.certificate is believed from nobody, because no reverse proxy is listed',
    ],
    [
      'one header for two things',
      { reverse_proxies: ['::1'], proxy_headers: { address: 'X-Who', certificate: 'x-who' } },
      'proxy_headers.certificate is the header of the address as well',
    ],
    ['a certificate without key', { ws: { certificate: 'x' } }, 'ws.key is missing; name both'],
    [
      'a licence without key',
      { license: { file: 'x' } },
      'license.key is missing; name both file and key, or',
    ],
    [
      'a key without licence',
      { license: { key: 'x' } },
      'license.file is missing; name both file and key, or',
    ],
    ['a key without certificate', { manager: { key: 'x' } }, 'manager.certificate is missing; name both'],
    ['a port out of range', { manager: { port: 65_536 } }, 'manager.port is out of range'],
  ])('refuses %s', (_, raw, fault) => {
    expect(serverFaults(raw)).toContain(fault);
  });

  it.each([{ start_tls: true }, { allow_plain: true }])('takes ldap:// with %j', (leave) => {
    expect(serverFaults({ directory: { ...ldap, urls: ['ldap://x'], ...leave } })).toBe('');
  });

  it('accepts certificates of another authority when the operator names it', () => {
    const counting = (raw: object) =>
      readConfig({ domains, directory: embedded, ...raw }).caller_certificates;
    expect(counting({})).toBe('own');
    expect(counting({ ws: { client_ca: 'portals.pem' } })).toBe('any');
    expect(counting({ ws: { client_ca: 'portals.pem' }, caller_certificates: 'own' })).toBe('own');
    expect(readServiceConfig({ domains }).caller_certificates).toBe('own');
    const passed = serviceSettings(
      readConfig({ domains, directory: embedded, ws: { client_ca: 'portals.pem' } }),
    );
    expect(readServiceConfig(passed).caller_certificates).toBe('any');
  });

  it('never repeats a value', () => {
    const secret = 'correct horse';
    const raw = {
      port: secret,
      directory: { ...ldap, bind_dn: secret, bind_password: [secret], urls: secret },
    };
    expect(serverFaults({ ...raw, manager_session: secret, dialect: secret })).not.toContain(secret);
  });
});

describe('the addresses that clients use', () => {
  const addresses = (raw: object) => {
    const { ws_url, manager_url } = readConfig({ domains, directory: embedded, ...raw });
    return { ws_url, manager_url };
  };

  it('are those of the servers', () => {
    expect(addresses({})).toEqual({
      ws_url: 'https://localhost:8443',
      manager_url: 'https://localhost:4443',
    });
    expect(addresses({ ws: { host: '0.0.0.0', port: 443 }, manager: { host: '::' } })).toEqual({
      ws_url: 'https://localhost',
      manager_url: 'https://localhost:4443',
    });
    expect(addresses({ ws: { host: '2001:db8::1' }, manager: { host: 'auth.example' } })).toEqual({
      ws_url: 'https://[2001:db8::1]:8443',
      manager_url: 'https://auth.example:4443',
    });
  });

  it.each(['127.0.0.2', '::1', '::', '0.0.0.0', 'fe80::1%eth0', 'no host'])(
    'are on localhost where the server listens on %s',
    (host) => {
      expect(addresses({ ws: { host } }).ws_url).toBe('https://localhost:8443');
    },
  );

  it('lose a trailing slash', () => {
    const config = readConfig({ domains, directory: embedded, ws_url: 'https://Login.example.com:443/' });
    expect(config.ws_url).toBe('https://login.example.com');
    expect(readServiceConfig(serviceSettings(config)).ws_url).toBe('https://login.example.com');
    expect(readServiceConfig({ domains })).toMatchObject({ ws_url: 'https://localhost:8443' });
  });

  it.each([
    'http://x.example',
    'https://x.example/ws',
    'https://u:p@x.example',
    'https://x.example/?a',
    'https://x.example/#a',
    'x.example',
    'https://',
  ])('are not %s', (ws_url) => {
    expect(faultsOf({ domains, ws_url })).toContain(
      'ws_url is not an https URL of one host without a path; write',
    );
  });
});

describe('serviceSettings', () => {
  it('returns the settings of createService, and none of the server', () => {
    const config = readConfig({ domains, directory: ldap, manager_session: 60 });
    const part = serviceSettings(config);
    expect(readServiceConfig(part)).toEqual(readServiceConfig({ domains, manager_session: 60 }));
    for (const key of ['directory', 'data', 'keys_file', 'manager', 'ws', 'log'])
      expect(part).not.toHaveProperty(key);
  });
});

describe('configJsonSchema', () => {
  const schema = configJsonSchema();

  it('describes every setting and names its group', () => {
    for (const key of Object.keys(schema.properties ?? {})) {
      const setting = childNode(schema, key);
      expect(setting?.description, key).toMatch(/^[A-Z].*\.$/);
      expect(setting?.group, key).toBeTruthy();
    }
  });

  it('requires only what has no default, and takes lists as text', () => {
    expect(schema.required).toEqual(['domains', 'directory']);
    expect(childNode(schema, 'super_admins')?.type).toEqual(['array', 'string']);
  });
});

describe('an application of OpenID Connect', () => {
  const faults = (client: object) => faultsOf({ domains, openid_clients: { wiki: client } });

  it.each([
    'https://wiki.example.com/cb?x=1',
    'http://127.0.0.1:8080/cb',
    'http://[::1]/',
    'http://localhost/',
  ])('accepts the redirect URI %s', (uri) => expect(faults({ redirect_uris: [uri] })).toBe(''));

  it.each([
    'http://wiki.example.com/',
    'https://wiki.example.com/#x',
    'https://wiki.example.com/#',
    'https://u:p@wiki.example.com/',
    'javascript:alert(1)',
    'wiki.example.com',
    'http://localhost.evil.example/',
    'https://*.example.com/cb',
    ' https://wiki.example.com/cb',
    'https://wiki.example.com/cb ',
    'https:\\\\wiki.example.com',
    '',
  ])('refuses the redirect URI %s', (uri) => {
    expect(faults({ redirect_uris: [uri] })).toContain('openid_clients.wiki.redirect_uris');
    const after = { redirect_uris: ['https://a.example/'], post_logout_redirect_uris: [uri] };
    expect(faults(after)).toContain('openid_clients.wiki.post_logout_redirect_uris');
  });

  it.each([
    ['http://wiki.example.com/', 'is http, which others on the network can read; write https'],
    ['https://*.example.com/cb', 'has a * in its host, but URIs are compared literally; list each address'],
    ['https://wiki.example.com/#x', 'has a fragment, which browsers do not send; remove the #'],
    ['https://u:p@wiki.example.com/', 'has a user name or password; remove them'],
    ['wiki.example.com', 'is neither an https URL nor an http URL on loopback; write for example "https://'],
  ])('gets the reason and the cure for %s', (uri, sentence) => {
    expect(faults({ redirect_uris: [uri] })).toContain(`redirect_uris[0] ${sentence}`);
  });

  it('has a redirect URI, and a digest when it has a secret', () => {
    expect(faults({ redirect_uris: [] })).toContain('is an empty list');
    expect(faults({ redirect_uris: ['https://a.example/'], sha256: 'secret' })).toContain(
      'openid_clients.wiki.sha256',
    );
    expect(
      faultsOf({ domains, openid_clients: { 'a b': { redirect_uris: ['https://a.example/'] } } }),
    ).toContain('openid_clients');
  });
});

describe('acme', () => {
  const acme = {
    challenge: 'http-01',
    directory: 'https://acme.example.org/dir',
    domains: ['Login.example.org'],
  };
  const own = { certificate: 'a.pem', key: 'a.key' };
  const eab = { key_id: 'one' };

  it('has names in small letters, and the port of HTTP', () => {
    const config = readConfig({ domains, directory: embedded, acme });
    expect(config.acme).toMatchObject({ domains: ['login.example.org'], http_port: 80 });
  });

  it.each([
    [
      'a directory without TLS',
      { directory: 'http://acme.example.org/dir' },
      'acme.directory is not an https',
    ],
    [
      'a password in its URL',
      { directory: 'https://a:b@acme.example.org/' },
      'acme.directory is not an https',
    ],
    ['a wildcard', { domains: ['*.example.org'] }, 'acme.domains[0] is not a host name with a dot; write'],
    ['an address', { domains: ['192.0.2.7'] }, 'acme.domains[0] is not a host name with a dot'],
    ['a path as a name', { domains: ['../a.b'] }, 'acme.domains[0] is not a host name with a dot'],
    ['no name', { domains: [] }, 'acme.domains'],
    ['a port without its challenge', { challenge: 'tls-alpn-01', http_port: 80 }, 'acme.http_port'],
    ['no key of an account', { eab }, 'acme.eab needs the key of the account once; write key_file or key'],
    ['two keys of an account', { eab: { ...eab, key: 'a', key_file: 'b' } }, 'acme.eab needs the key'],
  ])('refuses %s', (_, changed, fault) => {
    expect(serverFaults({ acme: { ...acme, ...changed } })).toContain(fault);
  });

  it('needs a listener without files', () => {
    expect(serverFaults({ acme, manager: own })).toBe('');
    expect(serverFaults({ acme, manager: own, ws: own })).toContain('acme has no listener');
  });
});
