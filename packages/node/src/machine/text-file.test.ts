/** Files and variables from various editors and shells. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../cli/src/config-file/config-file.ts';
import { bundled } from '../../../core/src/applications/index.ts';
import { vocabularyOf } from '../../../core/src/doors/manager/vocabulary.ts';
import { StartError } from '../../../core/src/foundation/errors/start-error.ts';
import { readKeyRing } from './key-file.ts';

const vocabulary = vocabularyOf(bundled);
const password = 'grüner Löwe';

const configuration = `domains:
  Default: {base: "ou=Müller,dc=example,dc=com"}
directory:
  type: ldap
  urls: [ldaps://ldap.example.com]
  base: dc=example,dc=com
  bind_dn: cn=reader
  bind_password_file: password
mail: {type: smtp, host: mail.example.com, from: a@example.com, user: a, password_file: password}
sms: {type: http, url: 'https://sms.example.com', json: {key: '{secret}', to: '{to}', text: '{text}'}, secret_file: password}
`;
const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchword-text-'));
  write('password', password);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

function load(content: string | Uint8Array = configuration, environment: Record<string, string> = {}) {
  return loadConfig(write('watchword.yaml', content), environment, vocabulary).config;
}

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return '';
}

describe('file with a secret', () => {
  it.each<[string, string | Uint8Array]>([
    ['a byte order mark', Buffer.concat([utf8Mark, Buffer.from(password)])],
    ['a line end of Unix', `${password}\n`],
    ['line ends of Windows, and an empty line', `${password}\r\n\r\n`],
    ['a line end of an old Mac', `${password}\r`],
  ])('is read without %s', (_, content) => {
    write('password', content);
    const { directory, mail, sms } = load();
    expect([directory, mail, sms]).toMatchObject([
      { bind_password: password },
      { password },
      { secret: password },
    ]);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['in UTF-16', utf16(password), 'which cannot be read: it is in UTF-16 or binary; save it as UTF-8'],
    [
      'in UTF-16 without a mark',
      Buffer.from('secret', 'utf16le'),
      'which cannot be read: it is in UTF-16 or binary; save it as UTF-8',
    ],
    [
      'in Latin-1',
      Buffer.from(password, 'latin1'),
      'which cannot be read: line 1 is not in UTF-8; save the file as UTF-8',
    ],
    ['of two lines', 'one\ntwo\n', 'which holds more than one line, which no password has'],
    ['with a tab', 'one\ttwo', 'which holds a control character (U+0009), which no password has'],
  ])('is refused %s, with its path and without the secret', (_, content, sentence) => {
    const path = write('password', content);
    const faults = refusalOf(load).split('\n');
    expect(faults).toHaveLength(3);
    expect(faults[0]).toBe(
      `watchword.yaml, line 8: directory.bind_password_file names ${path}, ${sentence}; correct the path or the file`,
    );
  });
});

describe('secret in an environment variable', () => {
  const inVariable = (value: string) =>
    load(configuration.replace(/ *bind_password_file.*\n/, ''), { WATCHWORD_DIRECTORY__BIND_PASSWORD: value })
      .directory;

  it.each([`\uFEFF${password}`, `${password}\r`, `${password}\n`])('is read from %j', (value) => {
    expect(inVariable(value)).toMatchObject({ bind_password: password });
  });

  it('is refused with a control character, and the name of the variable', () => {
    expect(refusalOf(() => inVariable('one\ttwo'))).toMatch(
      /^environment variable WATCHWORD_DIRECTORY__BIND_PASSWORD: directory\.bind_password holds a control character/,
    );
  });
});

describe('configuration file', () => {
  it('is read without a byte order mark', () => {
    const marked = Buffer.concat([utf8Mark, Buffer.from(configuration)]);
    expect(load(marked).domains.Default?.base).toBe('ou=Müller,dc=example,dc=com');
  });

  it('is refused in UTF-16 with a readable error', () => {
    expect(refusalOf(() => load(utf16(configuration)))).toBe(
      `The configuration file ${join(folder, 'watchword.yaml')} cannot be read (it is in UTF-16 or binary; save it as UTF-8).`,
    );
  });

  it('is refused in Latin-1 with the line', () => {
    expect(refusalOf(() => load(Buffer.from(configuration, 'latin1')))).toBe(
      `The configuration file ${join(folder, 'watchword.yaml')} cannot be read (line 2 is not in UTF-8; save the file as UTF-8).`,
    );
  });
});

it('reads a file of certificates with comments in any encoding', () => {
  const path = write('ca.pem', Buffer.from('# gr\u00fcn\n-----BEGIN CERTIFICATE-----\n', 'latin1'));
  const named = configuration.replace('  bind_dn:', '  ca: ca.pem\n  bind_dn:');
  expect(load(named).directory).toMatchObject({ ca: path });
});

it('reads a key file without its byte order mark, and refuses UTF-16', () => {
  const key = `${Buffer.alloc(32, 7).toString('base64')}\r\n`;
  expect(readKeyRing(write('keys', Buffer.concat([utf8Mark, Buffer.from(key)]))).ids).toHaveLength(1);
  expect(refusalOf(() => readKeyRing(write('keys', utf16(key))))).toContain('it is in UTF-16 or binary');
});
