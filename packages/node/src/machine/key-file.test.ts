import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StartError } from '../../../core/src/foundation/errors/start-error.ts';
import { readKeyRing } from './index.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchword-keys-'));
  file = join(folder, 'data', 'keys');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plain = Buffer.from('a secret');

it('creates a key for the owner only, and keeps it', () => {
  const sealed = readKeyRing(file).seal(plain, 'here');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
  expect(readKeyRing(file).open(sealed, 'here')).toEqual(plain);
});

it('encrypts under the first key and opens with all', () => {
  const old = readKeyRing(file).seal(plain, 'here');
  const added = Buffer.alloc(32, 7).toString('base64');
  writeFileSync(file, `# newest first\n${added}\n\n${readFileSync(file, 'utf8')}`);
  const ring = readKeyRing(file);
  expect(ring.open(old, 'here')).toEqual(plain);
  writeFileSync(file, added);
  expect(readKeyRing(file).open(ring.seal(plain, 'there'), 'there')).toEqual(plain);
});

it('creates no key when secrets may exist under a missing one', () => {
  expect(() => readKeyRing(file, { mayCreate: false })).toThrow(StartError);
  expect(() => readKeyRing(file, { mayCreate: false })).toThrow(`The key file ${file} is gone`);
  const sealed = readKeyRing(file).seal(plain, 'here');
  expect(readKeyRing(file, { mayCreate: false }).open(sealed, 'here')).toEqual(plain);
});

it('follows no link in place of its temporary file', () => {
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(join(folder, 'data'));
  symlinkSync(elsewhere, `${file}.${process.pid}`);
  readKeyRing(file);
  expect(existsSync(elsewhere)).toBe(false);
  expect(readdirSync(join(folder, 'data'))).toEqual(['keys']);
});

it.each([0o644, 0o640, 0o604])('refuses a file of mode %o', (mode) => {
  readKeyRing(file);
  chmodSync(file, mode);
  expect(() => readKeyRing(file)).toThrow(StartError);
  expect(() => readKeyRing(file)).toThrow(
    `${file} can be read by others (mode 0${mode.toString(8)}); run: chmod 600 ${file}`,
  );
});

it.each([
  ['# only this\n', 'holds no key'],
  ['short\n', 'line 1 is not a base64 key of 32 bytes'],
  [`# one\n${Buffer.alloc(31).toString('base64')}\n`, 'line 2 is not a base64 key of 32 bytes'],
])('refuses a damaged file without showing its content: %j', (text, sentence) => {
  readKeyRing(file);
  writeFileSync(file, text);
  expect(() => readKeyRing(file)).toThrow(sentence);
  expect(() => readKeyRing(file)).not.toThrow(/short/);
});

it('reports why a file cannot be read or created', () => {
  expect(() => readKeyRing(folder)).toThrow(/can be read by others|is a folder/);
  writeFileSync(join(folder, 'data'), '');
  expect(() => readKeyRing(file)).toThrow(/(read|created) \(a part of its path is not a folder\)/);
});
