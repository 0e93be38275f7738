/** The engine under the contract of a read-only directory, and the program as a reader runs it. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Attributes, Dn } from '@watchword/core';
import { type DirectoryFixture, directoryContract } from '@watchword/core/testing';
import { expect, it } from 'vitest';
import { openJsonDirectory } from './json-directory.ts';
import { hashPassword } from './password.ts';

const people = new URL('people.json', import.meta.url);
const base = Dn.parse('dc=example,dc=org');
const alice = { dn: Dn.parse(`uid=alice,${base}`), password: 'alice-Pa55' };

async function open(): Promise<DirectoryFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-json-'));
  const file = join(folder, 'people.json');
  const written = JSON.parse(await readFile(people, 'utf8'));
  await writeFile(file, JSON.stringify(written));
  const server = openJsonDirectory(file);
  return {
    server,
    base,
    admin: alice,
    reader: alice,
    async seed(dn, attributes) {
      written.entries[dn.format()] = await entryOf(attributes);
      await writeFile(file, JSON.stringify(written));
      server.clearCaches();
    },
    dispose: () => rm(folder, { recursive: true }),
  };
}

async function entryOf(attributes: Attributes) {
  const entry: Record<string, unknown> = { entryuuid: [randomUUID()], createtimestamp: ['20260101000000Z'] };
  for (const [name, values] of attributes)
    entry[name] = values.map((value) =>
      typeof value === 'string' ? value : { base64: Buffer.from(value).toString('base64') },
    );
  const [password] = attributes.get('userpassword') ?? [];
  if (password !== undefined) entry.userpassword = [await hashPassword(String(password))];
  return entry;
}

directoryContract('JSON file', open, { readOnly: true, matchingRules: false });

it('reads the file once more when the caches are cleared, and is unavailable while the file cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-json-'));
  const file = join(folder, 'people.json');
  await writeFile(file, await readFile(people));
  const server = openJsonDirectory(file);
  await writeFile(file, '{');
  await server.probe();
  server.clearCaches();
  await expect(server.probe()).rejects.toMatchObject({ reason: 'unavailable' });
  await rm(folder, { recursive: true });
});

it('logs Alice in by its program', async () => {
  const example = new URL('../../scripts/example.mjs', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [example, 'own-directory/program.ts']);
  expect(stdout).toBe('1 Authentication success\n0 Invalid username or password\n');
});

it('takes under 250 lines', async () => {
  const files = ['filter', 'json-directory', 'password', 'program', 'tree'];
  const texts = await Promise.all(
    files.map((name) => readFile(new URL(`${name}.ts`, import.meta.url), 'utf8')),
  );
  expect(texts.join('').trim().split('\n').length).toBeLessThan(250);
});
