/** The client of the Yubico Validation Protocol, against servers that are honest, silent, broken and somebody else's. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { YubicoServer } from '../../../core/src/testing/bed/engines/yubico/yubico-server.ts';
import { Yubikey } from '../../../core/src/testing/bed/engines/yubico/yubikey.ts';
import { freePorts } from '../../../core/src/testing/bed/scratch.ts';
import { collectGarbage, systemRandom } from '../../../node/src/machine/index.ts';
import { openYubicoServers } from './yubico-servers.ts';

let server: YubicoServer;
let url: string;
let yubikey: Yubikey;
const closers: (() => void)[] = [];
beforeEach(async () => {
  server = new YubicoServer();
  url = await server.start();
  yubikey = new Yubikey();
  server.keys.push(yubikey);
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
  server.stop();
});

function open(urls: readonly string[] = [url], more: object = {}) {
  const key = server.key.toString('base64');
  const options = { urls, client_id: server.clientId, key, timeout_s: 2, ...more };
  const servers = openYubicoServers(options, systemRandom);
  closers.push(() => servers.close());
  return servers;
}
const unavailable = (detail: string) => ({
  reason: 'unavailable',
  detail: expect.stringContaining(detail),
});

it('a code is good once, and neither one before it nor one of another key is', async () => {
  const [first, second] = [yubikey.touch(), yubikey.touch()];
  const servers = open();
  expect(await servers.verify(second)).toBe('good');
  expect(await servers.verify(second)).toBe('replayed');
  expect(await servers.verify(first)).toBe('replayed');
  expect(await servers.verify(new Yubikey(yubikey.publicId).touch())).toBe('wrong');
  const nonces = server.asked.map(({ nonce }) => nonce);
  expect(new Set(nonces).size).toBe(4);
  expect(nonces.every((nonce) => /^[0-9a-f]{32}$/.test(nonce ?? ''))).toBe(true);
});

it.each<[string, Partial<Pick<YubicoServer, 'twist' | 'send'>>, string]>([
  ['signed wrongly', { send: (text) => text.replace(/^h=./, 'h=!') }, 'wrong signature'],
  ['not signed', { send: (text) => text.replace(/^h=.*\r\n/, '') }, 'wrong signature'],
  ['changed on its way', { send: (text) => text.replace('=BAD_OTP', '=OK') }, 'wrong signature'],
  ['to another nonce', { twist: (answer) => ({ ...answer, nonce: 'a'.repeat(32) }) }, 'another question'],
  ['to another code', { twist: (answer) => ({ ...answer, otp: 'c'.repeat(44) }) }, 'another question'],
  ['to no code', { twist: () => ({ status: 'OK' }) }, 'another question'],
  ['that it cannot say', { twist: () => ({ status: 'BACKEND_ERROR' }) }, 'BACKEND_ERROR'],
  ['without end', { send: () => 'x'.repeat(100_000) }, 'longer than'],
  ['none', { twist: () => undefined }, 'no Yubico verification server'],
])('an answer %s decides nothing', async (title, behaviour, why) => {
  Object.assign(server, behaviour);
  const otp = title === 'changed on its way' ? new Yubikey().touch() : yubikey.touch();
  await expect(open().verify(otp)).rejects.toMatchObject(unavailable(why));
});

it('a server that says nothing is waited for as long as was said, also where garbage is collected meanwhile', async () => {
  server.twist = () => undefined;
  const verified = expect(open().verify(yubikey.touch())).rejects.toMatchObject(unavailable('no Yubico'));
  await vi.waitUntil(() => server.asked.length > 0);
  collectGarbage();
  collectGarbage();
  await verified;
});

it('a server with another key, or none at all, decides nothing', async () => {
  const other = open([url], { key: Buffer.alloc(20).toString('base64') });
  await expect(other.verify(yubikey.touch())).rejects.toMatchObject(unavailable('wrong signature'));
  const [port] = await freePorts(1);
  await expect(open([`http://127.0.0.1:${port}/`]).verify(yubikey.touch())).rejects.toMatchObject(
    unavailable('ECONNREFUSED'),
  );
});

it('of several servers one that answers is enough, whatever becomes of the others', async () => {
  const [liar, silent] = [new YubicoServer(), new YubicoServer()];
  silent.twist = () => undefined;
  const [port] = await freePorts(1);
  const urls = [`http://127.0.0.1:${port}/`, await liar.start(), await silent.start(), url, url];
  try {
    const servers = open(urls);
    const otp = yubikey.touch();
    expect(await servers.verify(otp)).toBe('good');
    expect(await servers.verify(otp)).toBe('replayed');
  } finally {
    liar.stop();
    silent.stop();
  }
});
