/** `audit`: the event log leaves the installation, and a change outside it is detected. */
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';

let folder: string;
let file: string;
let lines: readonly string[];
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-audit-'));
  file = at('watchword.yaml');
  await writeFile(at('password'), 'the password of the first day\n', { mode: 0o600 });
  await runCommandLine([
    'init',
    '-c',
    file,
    '--password-file',
    at('password'),
    '--base',
    'dc=example,dc=com',
  ]);
  await runCommandLine(['keys', '-c', file]);
  await writeFile(at('key.pem'), (await runCommandLine(['audit', 'key', '-c', file])).printed);
  lines = (await runCommandLine(['audit', 'export', '-c', file])).output.trimEnd().split('\n');
});
afterAll(() => rm(folder, { recursive: true }));

async function verify(some: readonly string[], key = 'key.pem') {
  await writeFile(at('events.jsonl'), some.map((line) => `${line}\n`).join(''));
  return runCommandLine(['audit', 'verify', at('events.jsonl'), '--key', at(key)]);
}

describe('audit', () => {
  it('exports what audit verify finds whole, by the public keys alone', async () => {
    expect(await verify(lines)).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^Whole and unchanged: 1 event from .* to .*, signed at .*\.\n?$/),
    });
  });

  it('exports again what it has exported, with what came since', async () => {
    const { output, errors } = await runCommandLine(['audit', 'export', '-c', file]);
    const again = output.trimEnd().split('\n');
    expect(again.slice(0, lines.length)).toEqual(lines);
    expect(errors).toContain(`${again.length} records`);
    expect(await verify(again)).toMatchObject({ code: 0 });
  });

  it.each<[string, (some: readonly string[]) => readonly string[], RegExp]>([
    ['changed', (some) => some.map((line) => line.replace('init', 'exit')), /Line 1 was changed/],
    ['dropped', (some) => some.slice(1), /lost its beginning|is not what/],
    ['cut off', (some) => some.slice(0, 1), /The export is cut off/],
    ['empty', () => [], /The export is cut off/],
  ])('says what is wrong with an export that is %s', async (_, tamper, sentence) => {
    expect(await verify(tamper(lines))).toMatchObject({ code: 1, errors: expect.stringMatching(sentence) });
  });

  it('verifies by any of several keys, as after a key of the ring was changed, and by no other', async () => {
    const keys = await readFile(at('data/keys'), 'utf8');
    await writeFile(at('data/keys'), `${Buffer.alloc(32, 5).toString('base64')}\n${keys}`);
    await writeFile(at('both.pem'), (await runCommandLine(['audit', 'key', '-c', file])).printed);
    const { output } = await runCommandLine(['audit', 'export', '-c', file]);
    const both = output.trimEnd().split('\n');
    expect(await verify(both, 'both.pem')).toMatchObject({ code: 0 });
    expect(await verify(both)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('none of the keys'),
    });
    await writeFile(at('data/keys'), keys);
  });

  it('writes CEF for others', async () => {
    const { output } = await runCommandLine(['audit', 'export', '-c', file, '--format', 'cef']);
    expect(output).toMatch(
      /^CEF:0\|Watchword\|Watchword\|[\d.]+\|Manager:event\|Manager event\|3\|rt=\d+ .*\n$/,
    );
  });

  it('says what it needs', async () => {
    const wrong = async (...args: readonly string[]) => (await runCommandLine(['audit', ...args])).errors;
    expect(await wrong('export', '-c', file, '--format', 'xml')).toContain('--format is jsonl or cef.');
    expect(await wrong('export', '-c', file, '--since', 'yesterday')).toContain('--since is a day');
    expect(await wrong('verify', at('events.jsonl'))).toContain('and --key with the public keys');
    expect(await wrong('verify', at('nothing'), '--key', at('key.pem'))).toContain('cannot be read');
    expect(await wrong('verify', at('events.jsonl'), '--key', file)).toContain('holds no public keys');
    expect(await wrong('verify', at('events.jsonl'), '-c', file)).toContain('Unknown option');
    await verify(lines);
    await appendFile(at('events.jsonl'), 'x'.repeat(2_000_000));
    expect(await wrong('verify', at('events.jsonl'), '--key', at('key.pem'))).toContain(
      'is not a record of an event log',
    );
  });
});
