/** Rules between the settings of a gateway. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../index.ts';
import { ConfigError } from '../config.ts';

const smtp = { type: 'smtp', host: 'mail.example.org', from: 'login@example.org' };
const http = { type: 'http', url: 'https://gateway.example.org/', json: { to: '{to}', text: '{text}' } };

function problems(settings: object): string[] {
  const directory = { type: 'embedded', base: 'dc=home' };
  try {
    readConfig({ directory, domains: { Default: { base: 'dc=home' } }, ...settings });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, message, cure }) => `${path.join('.')} ${message}; ${cure}`);
  }
}

describe('a mail server', () => {
  it('needs a host and a sender address, and has TLS', () => {
    expect(problems({ mail: smtp })).toEqual([]);
    expect(problems({ mail: { type: 'folder', folder: 'messages' } })).toEqual([]);
    expect(problems({ mail: { ...smtp, from: 'Login <login@example.org>' } })).toEqual([
      'mail.from is not a mail address; write one address without a name, as in "login@example.com"',
    ]);
  });

  it.each([
    [
      { security: 'none' },
      'mail.security would send messages in clear; use starttls or tls, or set mail.allow_plain if the network is yours alone',
    ],
    [{ user: 'a' }, 'mail.password_file is missing; name a file with the password of user'],
    [{ password: 'a' }, 'mail.user is missing; name who logs in with the password'],
    [
      { user: 'a', password: 'b', password_file: 'c' },
      'mail.password_file stands beside password; keep one of the two',
    ],
  ])('is refused with %j', (more, problem) => {
    expect(problems({ mail: { ...smtp, ...more } })).toEqual([problem]);
  });
});

describe('a gateway over HTTP', () => {
  it('needs an https address', () => {
    expect(problems({ sms: http, push: { ...http, json: { device: '{device}' } } })).toEqual([]);
    expect(problems({ sms: { ...http, url: 'http://localhost/', allow_plain: true } })).toEqual([]);
  });

  it.each([
    [
      { url: 'http://gateway.example.org/' },
      'sms.url would send messages in clear; use https://, or set sms.allow_plain if the network is yours alone',
    ],
    [
      { url: 'https://{text}/' },
      'sms.url is not an https URL with a host name; write for example "https://gateway.example.com/messages"',
    ],
    [{ form: { a: 'b' } }, 'sms.form stands beside json; keep one of the two'],
    [{ method: 'GET' }, 'sms.method is GET, which has no body; use POST, or query in the place of a body'],
    [{ secret: 'a', secret_file: 'b' }, 'sms.secret_file stands beside secret; keep one of the two'],
    [
      { json: { to: ['{too}'] } },
      'sms has the variable {too}, which there is not; there are {to}, {digits}, {text}, {sender}, {flash}, {id}, {secret}',
    ],
  ])('is refused with %j', (more, problem) => {
    expect(problems({ sms: { ...http, ...more } })).toEqual([problem]);
  });
});

describe('an SMS centre over SMPP', () => {
  const smpp = { type: 'smpp', host: 'sms.example.org', port: 3550, system_id: 'a', password: 'b' };

  it('has TLS', () => {
    expect(problems({ sms: smpp })).toEqual([]);
    expect(problems({ sms: { ...smpp, security: 'none', allow_plain: true } })).toEqual([]);
  });

  it.each([
    [
      { security: 'none' },
      'sms.security would send messages in clear; use tls, or set sms.allow_plain if the network is yours alone',
    ],
    [{ password: undefined }, 'sms.password_file is missing; name a file with the password of system_id'],
    [{ password_file: 'c' }, 'sms.password_file stands beside password; keep one of the two'],
  ])('is refused with %j', (more, problem) => {
    expect(problems({ sms: { ...smpp, ...more } })).toEqual([problem]);
  });
});

describe('Web Push', () => {
  const web = { type: 'web', subject: 'mailto:ops@example.org', key_file: 'push.pem' };

  it('needs a subject and a key', () => {
    expect(problems({ push: web })).toEqual([]);
    expect(problems({ push: { ...web, key_file: undefined } })).toEqual([
      'push.key_file is missing; name a file that "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256" has made',
    ]);
    expect(problems({ push: { ...web, key: 'a' } })).toEqual([
      'push.key_file stands beside key; keep one of the two',
    ]);
  });
});

describe('servers that judge codes of Yubikeys', () => {
  const yubico = { client_id: 1, key: Buffer.alloc(20).toString('base64') };

  it('need an id and a key, and an https address or this machine', () => {
    expect(problems({ yubico })).toEqual([]);
    expect(problems({ yubico: { client_id: 1, key_file: 'yubico-key' } })).toEqual([]);
    expect(problems({ yubico: { ...yubico, urls: ['http://127.0.0.1:8080/verify'] } })).toEqual([]);
    expect(problems({ yubico: { client_id: 1 } })).toEqual([
      'yubico.key_file is missing; name a file with the key that belongs to client_id',
    ]);
    expect(problems({ yubico: { ...yubico, key_file: 'yubico-key' } })).toEqual([
      'yubico.key_file stands beside key; keep one of the two',
    ]);
  });

  it.each(['http://yubico.example.org/', 'https://yubico.example.org/?id=1', 'ftp://localhost/', 'verify'])(
    'are not asked at %s',
    (url) => {
      expect(problems({ yubico: { ...yubico, urls: [url] } })).toEqual([
        'yubico.urls.0 is not an https URL, or http URL on loopback, without a query; write for example "https://api.yubico.com/wsapi/2.0/verify"',
      ]);
    },
  );
});

describe('texts', () => {
  it('have their own variables only', () => {
    expect(problems({ texts: { de: { code_sms: 'Code: {code}' } } })).toEqual([]);
    expect(problems({ texts: { de: { code_sms: 'Code: {password}' } } })).toEqual([
      'texts.de.code_sms has a variable that it cannot have: there are {code}, {minutes}, {user}, {domain}, {client}; write {code}, {minutes}, {user}, {domain}, {client}, or no braces',
    ]);
  });
});
