import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changedSettings,
  keepSecrets,
  mergeLayers,
  mergePatch,
  runtimeProblems,
  sensitiveNames,
  withoutSecrets,
} from './runtime-settings.ts';

describe('JSON Merge Patch', () => {
  // RFC 7396, appendix A.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j and %j is %j', (before, patch, after) => {
    expect(mergePatch(before, patch)).toEqual(after);
  });

  it('changes the prototype of nothing', () => {
    const patched = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('layers', () => {
  it('gives the file each entry that it has, and the rest to the settings at run time', () => {
    const file = {
      clients: { vpn: { settings: { a: 1 } } },
      rest_get: false,
      websrvs: { otp: { enabled: true } },
    };
    const runtime = {
      clients: { vpn: {}, shop: {} },
      rest_get: true,
      websrvs: { otp: { enabled: false, require: 'certificate' } },
      ws_url: 'https://example.org',
    };
    expect(mergeLayers(file, runtime)).toEqual({
      clients: { vpn: { settings: { a: 1 } }, shop: {} },
      rest_get: false,
      websrvs: { otp: { enabled: true, require: 'certificate' } },
      ws_url: 'https://example.org',
    });
  });

  it('keeps every setting of the file, whatever is set at run time', () => {
    const settings = fc.dictionary(
      fc.constantFrom('clients', 'websrvs', 'rest_get', 'mail'),
      fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.dictionary(fc.string(), fc.integer()))),
    );
    fc.assert(
      fc.property(settings, settings, (file, runtime) => {
        expect(mergeLayers(file, runtime)).toMatchObject(file);
      }),
    );
  });
});

describe('secrets', () => {
  const settings = {
    mail: { host: 'mx', password: 'p', headers: { a: 'b' } },
    openid_clients: { app: { sha256: 'd', redirect_uris: ['https://x'] } },
    api_keys: { 1: { sha256: 'd' } },
    sms_accounts: { shop: { hash: 'h' } },
  };

  it('leaves secrets out of every value that is shown', () => {
    expect(withoutSecrets(settings)).toEqual({
      mail: { host: 'mx' },
      openid_clients: { app: { redirect_uris: ['https://x'] } },
      api_keys: { 1: {} },
      sms_accounts: { shop: {} },
    });
  });

  it('keeps secrets where settings that were shown are put back', () => {
    expect(keepSecrets(settings, { ...(withoutSecrets(settings) as object) })).toEqual(settings);
    expect(keepSecrets(settings, { mail: { password: 'new' } })).toEqual({
      mail: { password: 'new', headers: { a: 'b' } },
    });
  });
});

it('names settings of the file, and files of a machine, that cannot be set at run time', () => {
  const problems = runtimeProblems({
    ...{ data: '/x', manager_auth: 'UID', rest_get: true },
    ...{ mail: { type: 'smtp', ca: 'x.pem', password_file: '/etc/shadow' }, push: { key_file: 'x' } },
  });
  expect(problems.map(({ path }) => path.join('.'))).toEqual([
    ...['data', 'manager_auth', 'mail.ca', 'mail.password_file', 'push.key_file'],
  ]);
});

it('names changed settings that decide who administers and who is trusted', () => {
  expect(sensitiveNames({ super_admins: ['a'], rest_get: true }, { super_admins: ['a'] })).toEqual([]);
  expect(sensitiveNames({}, { super_admins: ['a'], api_keys: {} })).toEqual(['super_admins', 'api_keys']);
});

it('lists changed settings by their paths, without values', () => {
  const before = { clients: { vpn: { a: 's3cret' } }, rest_get: true };
  const after = { clients: { vpn: { a: 'other' }, shop: {} }, websrvs: { otp: {} } };
  expect(changedSettings(before, after)).toEqual(['clients.vpn', 'clients.shop', 'rest_get', 'websrvs.otp']);
});
