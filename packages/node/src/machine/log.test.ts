import { describe, expect, it } from 'vitest';
import { createLog, type LogOptions } from './index.ts';

function capture(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const log = createLog({ level: 'info', format: 'json', ...options }, { write: (line) => lines.push(line) });
  return { log, lines, first: () => JSON.parse(lines[0] ?? '') as Record<string, unknown> };
}

describe('log', () => {
  it('writes one JSON object a line', () => {
    const { log, lines, first } = capture();
    log.warn('directory is slow', { transaction: 'A1B2C3D4', milliseconds: 900 });
    expect(lines).toHaveLength(1);
    expect(first()).toMatchObject({
      level: 'warn',
      message: 'directory is slow',
      transaction: 'A1B2C3D4',
      milliseconds: 900,
    });
    expect(first().time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('skips lines below its level', () => {
    const { log, lines } = capture({ level: 'error' });
    log.info('a');
    log.warn('b');
    log.error('c');
    expect(lines).toHaveLength(1);
    const silent = capture({ level: 'silent' });
    silent.log.error('d');
    expect(silent.lines).toEqual([]);
  });

  it.each([
    'password',
    'bind_password',
    'userPassword',
    'unicodePwd',
    'clientSecret',
    'api_key',
    'TokenKey',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'otp',
    'pin',
  ])('masks %s at any depth', (name) => {
    const { log, lines } = capture();
    log.error('x', { [name]: 'hunter2', deep: [{ map: new Map([[name, 'hunter2']]) }] });
    expect(lines.join('')).not.toContain('hunter2');
    expect(lines.join('').match(/\[masked\]/g)).toHaveLength(2);
  });

  it('writes class, message and stack of an error and its causes, nothing else', () => {
    const { log, first } = capture();
    const cause = Object.assign(new TypeError('inner'), { dn: 'cn=hidden' });
    log.error('failed', { error: new RangeError('outer', { cause }) });
    expect(first().error).toEqual({
      class: 'RangeError',
      message: 'outer',
      stack: expect.stringContaining('log.test.ts'),
      cause: { class: 'TypeError', message: 'inner', stack: expect.any(String) },
    });
  });

  it('survives cycles, bytes and big numbers', () => {
    const { log, first } = capture();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    log.info('x', { cycle, bytes: new Uint8Array(3), big: 10n });
    expect(first()).toMatchObject({ bytes: '3 bytes', big: '10' });
  });

  it('escapes control characters and marks of text direction', () => {
    const { log, lines } = capture({ format: 'text' });
    log.info('a\u202eb', { who: 'x \u009b31m\u2028', what: 'y\u202ez' });
    expect(lines[0]).toMatch(/ a\\u202eb who="x \\u009b31m\\u2028" what="y\\u202ez"\n$/);
  });

  it('writes text on one line with any value', () => {
    const { log, lines } = capture({ format: 'text' });
    log.info('hello\nFORGED \u001b[31m', { who: 'a b\nc', count: 2 });
    expect(lines[0]).toMatch(/^\S+Z INFO {2}hello\\u000aFORGED \\u001b\[31m who="a b\\nc" count=2\n$/);
  });
});
