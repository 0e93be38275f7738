import { describe, expect, it } from 'vitest';
import { type ManagerOptions, readManagerOptions } from './options.ts';

const usual: ManagerOptions = { url: 'https://example.org/manag/', username: 'admin', password: 'secret' };

const refusal = (options: Partial<ManagerOptions>): string => {
  try {
    readManagerOptions({ ...usual, ...options });
  } catch (error) {
    return String(error);
  }
  return 'accepted';
};

describe('options', () => {
  it('have defaults', () => {
    expect(readManagerOptions(usual)).toMatchObject({
      timeout: 30_000,
      maxAnswer: 67_108_864,
      signal: undefined,
    });
  });

  it('may name nobody, where a cookie or a certificate does', () => {
    const { headers } = readManagerOptions({ url: 'https://example.org/admin/rpc' });
    expect(headers).not.toHaveProperty('authorization');
    expect(refusal({ password: undefined })).toMatch(/one without the other/);
  });

  it.each(['localhost', '127.0.0.1', '127.1', '0x7f000001', '127.255.255.254', '[::1]', 'LOCALHOST'])(
    'allow http:// to this machine: %s',
    (host) => {
      expect(refusal({ url: `http://${host}:8080/manag/` })).toBe('accepted');
    },
  );

  it.each(['example.org', '10.0.0.1', '127.example.org', 'localhost.example.org', '1.127.0.0', '[::2]'])(
    'refuse http:// to %s unless it is allowed',
    (host) => {
      expect(refusal({ url: `http://${host}/manag/` })).toMatch(/in clear/);
      expect(refusal({ url: `http://${host}/manag/`, allowPlain: true })).toBe('accepted');
    },
  );

  it.each([
    ['https://admin:hunter2@example.org/manag/', /credentials/],
    ['hunter2', /not a whole address/],
    ['https://admin:hunter2@[/', /not a whole address/],
    ['ftp://hunter2.example.org/', /neither/],
  ])('refuse the address %s without repeating it', (url, sentence) => {
    expect(refusal({ url })).toMatch(sentence);
    expect(refusal({ url })).not.toContain('hunter2');
  });

  it('refuse a header that HTTP does not allow, without repeating it', () => {
    expect(refusal({ headers: { 'x-key': 'hunter2\r\nx-other: 1' } })).toBe(
      'TypeError: headers: a name or a value that HTTP does not allow',
    );
    expect(refusal({ headers: { 'x key': 'hunter2' } })).toMatch(/headers/);
  });

  it('refuse a user name that HTTP Basic would cut in two', () => {
    expect(refusal({ username: 'a:b' })).toMatch(/colon/);
  });
});
