/** What a packed server has not loaded while nobody wants it: each of these takes megabytes of memory. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ended, type Installation, openInstallation, placeOf } from './installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation.close());

const configuration = ['--config', 'watchword.yaml'];

/** Tells of each file that is loaded, and of each look at what Node loads its `fetch` for. */
const watching = `
  import { Module, register } from 'node:module';
  const hooks = "export const load = (url, context, next) => { process._rawDebug('loads ' + url); return next(url, context); }";
  register('data:text/javascript,' + encodeURIComponent(hooks));
  for (const name of ['fetch', 'Headers', 'Request', 'Response', 'FormData', 'WebSocket']) {
    const { get, value } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => (process._rawDebug('loads ' + name), value ?? get.call(globalThis)),
    });
  }
  process.on('exit', () => { for (const file of Object.keys(Module._cache)) process._rawDebug('loads ' + file); });`;

beforeAll(async () => {
  await installation.write('first-password', 'the first Pa55word\n');
  await installation.write('watching.mjs', watching);
  const base = ['--base', 'dc=example,dc=com', '--name', 'ada', '--password-file', 'first-password'];
  await installation.run('watchword-manager', 'init', ...configuration, ...base);
  // The first start makes the authority, and the certificate of the server.
  await (await installation.serve('watchword-ws', ...configuration)).stop();
});

const program = join(placeOf('@watchword/server-ws'), 'dist/main.js');
const watched = (...args: readonly string[]) =>
  installation.serve('node', '--import', './watching.mjs', program, ...args);

/** The names of the files, and of what belongs to `fetch`. */
const loadedBy = ({ errors }: Ended): readonly string[] =>
  errors.split('\n').flatMap((line) => line.match(/^loads (?:.*\/)?([^/]+)$/)?.[1] ?? []);

it('nothing that a login does not need', async () => {
  const server = await watched(...configuration);
  const { fetch, close } = nodeTransport({
    ca: await readFile(join(installation.folder, 'data/ca.pem'), 'utf8'),
  });
  const web = createWebServices({ url: server.url, fetch });
  const login = { username: 'ada', ldapPassword: 'wrong', otpPassword: '123456' };
  expect(await web.otp.normalLogin(login)).toMatchObject({ code: 0 });
  await close();
  const ended = await server.stop();
  const loaded = loadedBy(ended);
  expect(ended.code).toBe(0);
  expect(loaded).toContain('main.js');
  const dear =
    /^(?:(?:fetch|Headers|Request|Response|FormData|WebSocket)$|(?:signing-)?authority-|encryption-|simplewebauthn|openid-|smpp-|smtp-|postgres-|prometheus-|web-push-|ldap-)/;
  expect(loaded.filter((name) => dear.test(name))).toEqual([]);
  const folder = join(installation.folder, placeOf('@watchword/server-ws'), 'dist');
  const texts = loaded
    .map((name) => join(folder, name))
    .filter(existsSync)
    .map((file) => readFileSync(file, 'utf8'));
  // A class of pkijs, and one of @simplewebauthn/server.
  const words = ['class CertificationRequest', 'BaseMetadataService'];
  expect(words.filter((word) => texts.some((text) => text.includes(word)))).toEqual([]);
});

it('but what is wanted it has: security keys, where there is a relying party', async () => {
  const text = await readFile(join(installation.folder, 'watchword.yaml'), 'utf8');
  await installation.write(
    'keys.yaml',
    `${text}\nrelying_party:\n  id: example.com\n  origins: [https://login.example.com]\n`,
  );
  const ended = await (await watched('--config', 'keys.yaml')).stop();
  expect(loadedBy(ended)).toContain('simplewebauthn-server.cjs');
  expect(ended.code).toBe(0);
});
