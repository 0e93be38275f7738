/** Checks of hosts and URLs in the configuration. */
import { describe, expect, it } from 'vitest';
import { isDirectoryUrl, parseHost } from './values.ts';

describe('isDirectoryUrl', () => {
  it.each([
    'ldap://h',
    'ldaps://ldap.example.com:636',
    'LDAPS://h/',
    'ldap://10.0.0.7',
    'ldaps://[2001:db8::7]:636',
  ])('accepts %s, which has a host and an optional port only', (text) =>
    expect(isDirectoryUrl(text)).toBe(true),
  );

  it.each([
    'ldap://u:p@h',
    'ldap://u@h',
    'ldap://h#x',
    'ldap://h#',
    'ldap://h?x',
    'ldap://h?',
    'ldap://h/dc=example',
    'ldap://',
    'ldap:///',
    'ldap://h:port',
    'ldap://h:65536',
    ' ldap://h ',
    'http://h',
  ])('refuses %j, which has more, less or another scheme', (text) =>
    expect(isDirectoryUrl(text)).toBe(false),
  );
});

describe('parseHost', () => {
  it.each([
    ['db1', 'db1', 5432],
    ['db1:7', 'db1', 7],
    ['[2001:db8::7]:7', '2001:db8::7', 7],
    ['2001:db8::7', '2001:db8::7', 5432],
  ])('parses %s', (text, host, port) => expect(parseHost(text, 5432)).toEqual({ host, port }));

  it.each(['u:p@db1', 'u@db1', 'db1#x', 'db1?x', 'db1/x', 'db1:65536', '10.0.0.999', ''])(
    'refuses %j',
    (text) => expect(parseHost(text, 5432)).toBeUndefined(),
  );
});
