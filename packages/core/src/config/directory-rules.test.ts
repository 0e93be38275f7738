/** Rules between directories. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../index.ts';
import { ConfigError } from './config.ts';

const ldap = { type: 'ldap', urls: ['ldaps://a'], bind_dn: 'cn=a', bind_password: 'b', base: 'dc=a' };
const embedded = { type: 'embedded', base: 'dc=home' };

function problems(directory: object, directories: Record<string, object>): string[] {
  try {
    readConfig({ directory, directories, domains: { Default: { base: 'dc=home' } } });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, message, cure }) => `${path.join('.')} ${message}; ${cure}`);
  }
}

describe('several directories', () => {
  it('are allowed: one embedded, and others with bases of their own', () => {
    expect(problems(embedded, { one: ldap, two: { ...ldap, base: 'dc=b' } })).toEqual([]);
    expect(problems(ldap, { home: embedded })).toEqual([]);
  });

  it('have different bases', () => {
    for (const base of ['DC = A', 'ou=x,dc=a']) {
      expect(problems(ldap, { one: { ...ldap, base } })).toEqual([
        'directories.one.base is at, above or below the base of another directory; give each directory a base apart from those of the others',
      ]);
    }
  });

  it('are not both embedded', () => {
    expect(problems(embedded, { one: { ...embedded, base: 'dc=b' } })).toEqual([
      'directories.one.type is embedded, and so is another directory; keep one of the two',
    ]);
  });

  it('send no passwords in clear, and errors name the directory', () => {
    const plain = { ...ldap, urls: ['ldap://b'], base: 'dc=b' };
    expect(problems(embedded, { one: plain })).toEqual([
      'directories.one.urls.0 would send passwords in clear; use ldaps://, turn on directories.one.start_tls, or set directories.one.allow_plain if the network is yours alone',
    ]);
    expect(problems(embedded, { one: { ...ldap, bind_password: undefined } })).toEqual([
      'directories.one.bind_password_file is missing; name a file with the password of bind_dn',
    ]);
  });
});
