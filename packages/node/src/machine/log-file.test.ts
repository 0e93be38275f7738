import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogFile } from './index.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchword-log-'));
  path = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const nowhere = {
  write: (line: string) => {
    throw new Error(line);
  },
};

it('appends to a file that its group may read and no other user', () => {
  for (const line of ['one\n', 'two\n']) {
    const file = new LogFile(path, nowhere);
    file.write(line);
    file.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(path).mode & 0o027).toBe(0);
});

it('writes to the moved file until it opens its path again', () => {
  const file = new LogFile(path, nowhere);
  file.write('one\n');
  renameSync(path, `${path}.1`);
  file.write('two\n');
  file.reopen();
  file.write('three\n');
  file.close();
  expect([readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['one\ntwo\n', 'three\n']);
});

it('keeps the file before when its path cannot be opened again', () => {
  const file = new LogFile(path, nowhere);
  renameSync(path, `${path}.1`);
  execFileSync('mkfifo', [path]);
  expect(() => file.reopen()).toThrow('is not a plain file');
  file.write('one\n');
  file.close();
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('one\n');
});

it('passes on a line that the file does not take, as on a full disk', () => {
  const lines: string[] = [];
  const file = new LogFile(path, { write: (line) => lines.push(line) });
  file.close();
  file.write('one\n');
  expect(lines).toEqual(['one\n']);
});

it.each([
  ['a folder', (name: string) => execFileSync('mkdir', [name])],
  ['a pipe', (name: string) => execFileSync('mkfifo', [name])],
  ['a device', (name: string) => symlinkSync('/dev/null', name)],
])('refuses %s, with the setting to mend', (_, make) => {
  make(path);
  expect(() => new LogFile(path, nowhere)).toThrow(/^The log file \S+ cannot be written .*log\.file/);
});
