import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundled } from '../../../core/src/applications/index.ts';
import { vocabularyOf } from '../../../core/src/doors/manager/vocabulary.ts';
import { StartError } from '../../../core/src/foundation/errors/start-error.ts';
import { loadConfig } from './config-file.ts';

const vocabulary = vocabularyOf(bundled);

const secret = 'correct-horse';
const minimal = `domains:
  Default: {base: "ou=People,dc=example,dc=com"}
super_admins: "cn=admin,dc=example,dc=com"
directory:
  type: embedded
  base: dc=example,dc=com
`;
const ldap = `domains:
  Default: {base: "ou=People,dc=example,dc=com"}
super_admins: "cn=admin,dc=example,dc=com"
directory:
  type: ldap
  urls: [ldaps://ldap.example.com]
  base: dc=example,dc=com
`;

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchword-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(text: string, environment: Record<string, string> = {}) {
  return loadConfig(write('watchword.yaml', text), environment, vocabulary);
}

function write(name: string, text: string): string {
  writeFileSync(at(name), text, { mode: 0o600 });
  return at(name);
}

/** The message that the operator is shown. */
function faultsOf(text: string, environment: Record<string, string> = {}): string {
  try {
    load(text, environment);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return '';
}

describe('a configuration file', () => {
  it('becomes a configuration with absolute paths', () => {
    const { config, warnings } = load(`${minimal}log: {level: warn}\n`);
    expect(config).toMatchObject({
      data: at('data'),
      keys_file: at('data/keys'),
      super_admins: ['cn=admin,dc=example,dc=com'],
      log: { level: 'warn', format: 'text' },
    });
    expect(warnings).toEqual([]);
  });

  it('may write a list as the specification does', () => {
    const lists = [
      '"10.0.0.0/8", "192.168.1.5"',
      '"10.0.0.0/8" , "192.168.1.5" # ours',
      '["10.0.0.0/8", 192.168.1.5]',
      '\'"10.0.0.0/8", "192.168.1.5"\'',
      '\n  - 10.0.0.0/8\n  - 192.168.1.5',
    ];
    for (const list of lists) {
      expect(load(`${minimal}manager_clients: ${list}\n`).config.manager_clients, list).toEqual([
        '10.0.0.0/8',
        '192.168.1.5',
      ]);
    }
    expect(load(`${minimal}manager_clients: "10.0.0.0/8"\n`).config.manager_clients).toEqual(['10.0.0.0/8']);
  });

  it.each([
    [
      'an unknown key',
      'manager_sesion: 1\n',
      'watchword.yaml, line 7: manager_sesion is not a known key; did you mean manager_session?',
    ],
    [
      'a wrong type',
      'manager:\n  host: localhost\n  port: high\n',
      'watchword.yaml, line 9: manager.port is text; write a whole number from 0 to 65535, or leave it out for 4443',
    ],
    [
      'a wrong item',
      'manager_clients:\n  - localhost\n  - 10.0.0.0/40\n',
      'watchword.yaml, line 9: manager_clients[1] is not a host name, address or network',
    ],
    [
      'an impossible combination',
      'admin_auth: MFA\n',
      'watchword.yaml, line 7: admin_auth is MFA, and the Manager',
    ],
    ['a missing key', 'ws:\n  certificate: x.pem\n', 'watchword.yaml, line 7: ws.key is missing'],
    [
      'a key twice',
      'data: a\ndata: b\n',
      'watchword.yaml, line 8: data stands there twice; keep one of them',
    ],
    ['a tab', 'ws:\n\tport: 1\n', 'watchword.yaml, line 8: the configuration is indented with a tab'],
    ['an open quote', 'data: "a\n', 'watchword.yaml, line 8: the configuration lacks a character'],
    ['an alias of nothing', 'data: *x\n', 'the configuration '],
    ['a second document', '---\ndata: x\n', 'is more than one document'],
    [
      'a missing certificate file',
      'ws:\n  certificate: no.pem\n  key: no.key\n',
      'which cannot be read: no such file or folder',
    ],
  ])('with %s is refused with line, key and cure', (_, added, sentence) => {
    expect(faultsOf(minimal + added)).toContain(sentence);
  });

  it('names line, key and file of every unreadable file', () => {
    write('empty.pem', '\n');
    const faults = faultsOf(`${ldap}  ca: empty.pem\n  bind_dn: cn=a\n  bind_password_file: ${folder}\n`);
    expect(faults.split('\n')).toEqual([
      `watchword.yaml, line 8: directory.ca names ${at('empty.pem')}, which is empty; correct the path or the file`,
      `watchword.yaml, line 10: directory.bind_password_file names ${folder}, which cannot be read: it is a folder; correct the path or the file`,
    ]);
  });

  it('that is empty or not there is refused', () => {
    for (const text of ['', '# nothing\n', '{}', '\uFEFF\n'])
      expect(faultsOf(text)).toContain(`${at('watchword.yaml')} is empty. Write the settings there`);
    expect(faultsOf('data: x\n')).toContain('directory is missing');
    expect(() => loadConfig(at('no.yaml'), {}, vocabulary)).toThrow(
      `The configuration file ${at('no.yaml')} cannot be read (no such file or folder).`,
    );
  });

  it('does not expand aliases without end', () => {
    const bomb = Array.from(
      { length: 12 },
      (_, n) =>
        `x${n}: &x${n} [${
          n
            ? Array(12)
                .fill(`*x${n - 1}`)
                .join(',')
            : 'a'
        }]`,
    );
    expect(faultsOf(bomb.join('\n'))).toContain('too many of them');
  });

  it('never has its secrets repeated, whatever is wrong with it', () => {
    const broken = [
      `  bind_password: "${secret}`,
      `  bind_password: [${secret}]`,
      `  bind_dn: "${secret}"\n  bind_password: ${secret}`,
      `  bind_password: ${secret}: x`,
      `  bind_password: @${secret}`,
      `  bind_password: ${secret}\n  bind_password: ${secret}`,
      `  timeout_s: ${secret}`,
    ];
    for (const lines of broken) {
      const faults = faultsOf(`${ldap}${lines}\n`);
      expect(faults, lines).not.toBe('');
      expect(faults).not.toContain(secret);
    }
  });
});

describe('the password of the directory', () => {
  it('comes from a file, without its last line end', () => {
    write('password', `${secret} \n`);
    const { config } = load(`${ldap}  bind_dn: cn=a\n  bind_password_file: password\n`);
    expect(config.directory).toMatchObject({ bind_dn: 'cn=a', bind_password: `${secret} ` });
  });

  it('comes from a file for every directory', () => {
    write('password', 'first');
    write('second', 'second');
    const others = `directories:
  branch: {type: ldap, urls: ["ldaps://b"], base: dc=branch, bind_dn: cn=b, bind_password_file: second, ca: none.pem}
`;
    const both = `${ldap}  bind_dn: cn=a\n  bind_password_file: password\n${others}`;
    expect(faultsOf(both)).toBe(
      `watchword.yaml, line 11: directories.branch.ca names ${at('none.pem')}, which cannot be read: no such file or folder; correct the path or the file`,
    );
    const { config } = load(both.replace(', ca: none.pem', ''));
    expect(config.directory).toMatchObject({ bind_password: 'first' });
    expect(config.directories).toMatchObject({ branch: { bind_dn: 'cn=b', bind_password: 'second' } });
  });

  it('in a file that others can read is a warning', () => {
    write('password', secret);
    chmodSync(at('password'), 0o644);
    const { warnings } = load(`${ldap}  bind_dn: cn=a\n  bind_password_file: password\n`);
    expect(warnings).toEqual([
      `${at('password')} holds a secret and can be read by others; run: chmod 600 ${at('password')}`,
    ]);
  });

  it.each([
    ['mail', 'type: smtp, host: a, user: b, from: a@b.c, password_file: secret', 'password'],
    ['sms', 'type: http, url: "https://a/", secret_file: secret', 'secret'],
    ['sms', 'type: smpp, host: a, port: 1, system_id: b, password_file: secret', 'password'],
    ['push', 'type: http, url: "https://a/", secret_file: secret', 'secret'],
    ['push', 'type: web, subject: "mailto:a@b.c", key_file: secret', 'key'],
  ] as const)(
    'of the gateway %s {%s} comes from its file, which others must not read',
    (way, gateway, name) => {
      write('secret', 'one line');
      chmodSync(at('secret'), 0o644);
      const { config, warnings } = load(`${ldap}  bind_dn: cn=a\n  bind_password: a\n${way}: {${gateway}}\n`);
      expect(config[way]).toMatchObject({ [name]: 'one line' });
      expect(warnings).toContain(
        `${at('secret')} holds a secret and can be read by others; run: chmod 600 ${at('secret')}`,
      );
    },
  );

  it('in a configuration that others can read is a warning', () => {
    const file = write('open.yaml', `${ldap}  bind_dn: cn=a\n  bind_password: ${secret}\n`);
    chmodSync(file, 0o640);
    expect(loadConfig(file, {}, vocabulary).warnings).toEqual([
      expect.stringContaining('open.yaml holds a secret'),
    ]);
  });

  it('crossing the network in clear is a warning', () => {
    const plain = `${ldap.replace('ldaps:', 'ldap:')}  bind_dn: cn=a\n  bind_password: b\n`;
    expect(load(`${plain}  allow_plain: yes\n`).warnings).toEqual([expect.stringContaining('in clear')]);
    expect(load(`${plain}  allow_plain: yes\n  start_tls: yes\n`).warnings).toEqual([]);
  });
});

describe('the environment', () => {
  it('overrides the file', () => {
    const { config } = load(`${ldap}  bind_dn: cn=a\n`, {
      WATCHWORD_DIRECTORY__BIND_PASSWORD: secret,
      WATCHWORD_MANAGER__PORT: '9443',
      WATCHWORD_MANAGER_CLIENTS: '"10.0.0.0/8", "::1"',
      WATCHWORD_DOMAINS__DEFAULT__BASE: 'dc=example,dc=org',
      WATCHWORD_NAMES__Otp: 'ExampleOTP',
      WATCHWORD_LOG__LEVEL: '',
      PATH: '/bin',
    });
    expect(config).toMatchObject({
      directory: { bind_password: secret },
      manager: { port: 9443 },
      manager_clients: ['10.0.0.0/8', '::1'],
      domains: { Default: { base: 'dc=example,dc=org' } },
      names: { Otp: 'ExampleOTP', otp: 'otp' },
      log: { level: 'info' },
    });
  });

  it('is enough without a file', () => {
    const environment = {
      WATCHWORD_DIRECTORY__TYPE: 'embedded',
      WATCHWORD_DIRECTORY__BASE: 'dc=example,dc=com',
      WATCHWORD_DOMAINS__Default__BASE: 'dc=example,dc=com',
    };
    const { config } = loadConfig(undefined, environment, vocabulary);
    expect(config.default_domain).toBe('Default');
  });

  it.each([
    ['WATCHWORD_MANAGER__PORT', secret, 'environment variable WATCHWORD_MANAGER__PORT: manager.port is text'],
    [
      'WATCHWORD_MANAGER__PROT',
      secret,
      'environment variable WATCHWORD_MANAGER__PROT: manager.prot is not a known key; did you mean port?',
    ],
    [
      'WATCHWORD_SUPER_ADMINS',
      secret,
      'environment variable WATCHWORD_SUPER_ADMINS: super_admins[0] is not a DN',
    ],
    ['WATCHWORD_DIRECTORY', secret, 'environment variable WATCHWORD_DIRECTORY: directory'],
  ])('%s is named in an error, not its value', (variable, value, sentence) => {
    const faults = faultsOf(minimal, { [variable]: value });
    expect(faults).toContain(sentence);
    expect(faults).not.toContain(value);
  });

  it('may hold variables that are none of ours', () => {
    const { warnings } = load(minimal, {
      ...{ WATCHWORD_PORT: 'tcp://10.0.0.1', WATCHWORD_DIALECTS: 'x', WATCHWORD_MANAGER_PORT: '4444' },
    });
    expect(warnings).toEqual([
      'The environment variable WATCHWORD_PORT is not a setting and is ignored',
      'The environment variable WATCHWORD_DIALECTS is not a setting and is ignored; did you mean WATCHWORD_DIALECT?',
      'The environment variable WATCHWORD_MANAGER_PORT is not a setting and is ignored; did you mean WATCHWORD_MANAGER__PORT?',
    ]);
  });
});

describe('doors', () => {
  it('of both servers at one port are warned of, as one machine has it once', () => {
    const at = (manager: number, ws: number) =>
      load(`${minimal}manager: {port: ${manager}}\nws: {port: ${ws}}\n`).warnings;
    expect(at(7001, 7001)).toEqual([
      'manager.port and ws.port are both 7001: on one machine only one of the servers can start',
    ]);
    expect([at(7001, 7002), at(0, 0)]).toEqual([[], []]);
  });

  it.each([
    ['{ldaps_port: 636, port: 636}', 'ldap_door.port is 636, which is taken by another door of this server'],
    ['{port: 7001}', 'ldap_door.port is 7001, which is taken by another door'],
    ['{host: 0.0.0.0, ldaps_port: 7001}', 'ldap_door.ldaps_port is 7001, which is taken by another door'],
  ])('of one server at one port are refused: %s', (door, sentence) => {
    expect(faultsOf(`${minimal}ws: {port: 7001}\nldap_door: ${door}\n`)).toContain(sentence);
  });
});

it('a domain outside of the embedded directory is refused', () => {
  expect(faultsOf(minimal.replace('ou=People,dc=example,dc=com', 'dc=other,dc=org'))).toContain(
    'watchword.yaml, line 2: domains.Default.base is outside the directory; write a DN at or below dc=example,dc=com',
  );
});

it('an origin of a relying party that is of another domain is warned of (WebAuthn, related origins)', () => {
  const warned = (origin: string) =>
    load(`${minimal}relying_party: {id: example.org, origins: ["${origin}"]}\n`).warnings;
  expect([warned('https://example.org'), warned('https://login.example.org:8443')]).toEqual([[], []]);
  for (const origin of ['https://example.com', 'https://badexample.org'])
    expect(warned(origin)).toEqual([expect.stringContaining(`${origin}, which is not of example.org`)]);
});
