/** A push service on loopback, which decrypts what it gets as a browser does (RFC 8291). */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryError, type Push, type Sender } from '../../../core/src/ports/sending/sender.ts';
import { freePorts } from '../../../core/src/testing/bed/scratch.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { createAuthority, issueServerCertificate } from '../../../pki/src/index.ts';
import { openWebPush } from './web-push.ts';

interface Browser {
  readonly secret: Buffer;
  readonly point: Buffer;
  readonly auth: Buffer;
}

const hkdf = (salt: Uint8Array, key: Uint8Array, info: Uint8Array, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** RFC 8291 §3.3, 3.4; RFC 8188 §2. */
function decrypt(body: Buffer, { secret, point, auth }: Browser): string {
  const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const server = body.subarray(21, 21 + idLength);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(secret);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, server]);
  const ikm = hkdf(auth, ecdh.computeSecret(server), info, 32);
  const key = hkdf(salt, ikm, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(salt, ikm, Buffer.from('Content-Encoding: nonce\0'), 12);
  const sealed = body.subarray(21 + idLength);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

it('the browser of these tests reads the example of RFC 8291 §5', () => {
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  const browser = {
    secret: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    point: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  expect(decrypt(bytes(body), browser)).toBe('When I grow up, I want to be a watermelon');
});

const browser: Browser = (() => {
  const pair = createECDH('prime256v1');
  const point = pair.generateKeys();
  return { secret: pair.getPrivateKey(), point, auth: Buffer.from('a secret of 16 b') };
})();
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let service: Server;
let ca: string;
let host: string;
let taken: {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly path: string | undefined;
}[];
let answer: (response: ServerResponse) => void;
let sender: Sender<Push>;
beforeAll(async () => {
  const ports = { clock: new TestClock(Date.now()), random: systemRandom };
  const authority = await createAuthority({ commonName: 'Push tests', days: 2 }, ports);
  const { certificate, key } = await issueServerCertificate(
    authority,
    { names: ['localhost'], addresses: [], days: 1 },
    ports,
  );
  service = createServer({ key, cert: certificate }, async (request, response) => {
    taken.push({ headers: request.headers, body: await buffer(request), path: request.url });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = service.address();
  host = `localhost:${typeof address === 'object' ? address?.port : 0}`;
  ca = authority.certificate;
  sender = openWebPush({ subject: 'mailto:ops@example.com', key: pem, hosts: [host], ca });
});
afterAll(async () => {
  await sender.close();
  service.closeAllConnections();
  service.close();
});
beforeEach(() => {
  taken = [];
  answer = (response) => response.writeHead(201).end();
});

const deviceAt = (endpoint: string, keys: object = {}): string => {
  const whole = {
    p256dh: browser.point.toString('base64url'),
    auth: browser.auth.toString('base64url'),
    ...keys,
  };
  return `web:${Buffer.from(JSON.stringify({ endpoint, keys: whole })).toString('base64url')}`;
};
const message = (more: Partial<Push> = {}): Push => ({
  ...{
    application: 'token',
    to: deviceAt(`https://${host}/send/1`),
    title: 'Login',
    body: 'Is it you, Zoë?',
  },
  ...{ data: { session: 'abc' }, timeout: 60, ...more },
});
const send = (more: Partial<Push> = {}, signal = AbortSignal.timeout(10_000)) =>
  sender.send(message(more), { id: 'aB3dE5fG7hJ9kL1m', signal });
const failure = async (sending: Promise<void>): Promise<DeliveryError> => {
  const error = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DeliveryError)) throw new Error(`no DeliveryError: ${error}`);
  return error;
};

describe('Web Push', () => {
  it('brings a message that only the browser reads', async () => {
    await send();
    const [{ headers, body, path } = { headers: {}, body: Buffer.alloc(0), path: '' }] = taken;
    expect(path).toBe('/send/1');
    expect(body.toString('latin1')).not.toContain('Login');
    expect(JSON.parse(decrypt(body, browser))).toEqual({
      ...{ title: 'Login', body: 'Is it you, Zoë?', data: { session: 'abc' } },
    });
    expect(headers).toMatchObject({
      ...{ ttl: '60', topic: 'aB3dE5fG7hJ9kL1m', urgency: 'high', 'content-encoding': 'aes128gcm' },
    });
  });

  it('shows who sends it, to this push service only and for less than a day (RFC 8292)', async () => {
    await send();
    const [, token = '', key = ''] =
      /^vapid t=([^,]+), k=(\S+)$/.exec(String(taken[0]?.headers.authorization)) ?? [];
    const [head = '', claims = '', signature = ''] = token.split('.');
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    expect(key).toBe(point.toString('base64url'));
    const signed = {
      key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      dsaEncoding: 'ieee-p1363',
    } as const;
    expect(
      verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url')),
    ).toBe(true);
    const { aud, sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect([aud, sub]).toEqual([`https://${host}`, 'mailto:ops@example.com']);
    expect(exp - Date.now() / 1000).toBeLessThanOrEqual(86_400);
  });

  it.each([
    [404, true],
    [410, true],
    [413, true],
    [400, true],
    [401, false],
    [429, false],
    [503, false],
    [302, false],
  ])('%i of a push service: final %s', async (status, isFinal) => {
    answer = (response) => response.writeHead(status, { location: 'https://localhost:1/' }).end();
    const error = await failure(send());
    expect([error.isFinal, error.message]).toEqual([isFinal, `the push service answered ${status}`]);
    expect(taken).toHaveLength(1);
  });

  it.each([
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://localhost:1/',
    'https://evil.example/',
    'http://HOST/send',
    'https://user@HOST/send',
    'https://HOST.evil.example/',
    'file:///etc/passwd',
    'no address',
  ])('asks nobody else: %s', async (endpoint) => {
    const error = await failure(send({ to: deviceAt(endpoint.replace('HOST', host)) }));
    expect(error.isFinal).toBe(true);
    expect(taken).toEqual([]);
  });

  it.each([
    ['ios:abc'],
    ['web:'],
    ['web:bm8gSlNPTg'],
    [`web:${Buffer.from('null').toString('base64url')}`],
    [deviceAt('https://localhost/', { auth: 'c2hvcnQ' })],
    [deviceAt('https://localhost/', { p256dh: 'c2hvcnQ' })],
  ])('refuses the device %s for good', async (to) => {
    expect((await failure(send({ to }))).isFinal).toBe(true);
  });

  it('refuses a message that is too long', async () => {
    expect((await failure(send({ body: 'x'.repeat(4000) }))).isFinal).toBe(true);
    await send({ body: 'x'.repeat(3900) });
    expect(JSON.parse(decrypt(taken[0]?.body ?? Buffer.alloc(0), browser)).body).toHaveLength(3900);
  });

  it('has a host by a domain of push services', async () => {
    const wide = openWebPush({ subject: 'mailto:a@b.c', key: pem, hosts: ['*.push.example'], ca });
    const [port = 0] = await freePorts(1);
    for (const [endpoint, text] of [
      ['https://evilpush.example/', 'is not among'],
      ['https://push.example/', 'is not among'],
      [`https://a.push.example:${port}/`, 'is not among'],
      ['https://a.push.example/', 'cannot be reached'],
    ] as const) {
      const delivery = { id: 'x', signal: AbortSignal.timeout(10_000) };
      const error = await failure(wide.send(message({ to: deviceAt(endpoint) }), delivery));
      expect([endpoint, error.message]).toEqual([endpoint, expect.stringContaining(text)]);
    }
    await wide.close();
  });

  it('ends with its signal', async () => {
    answer = () => undefined;
    const aborter = new AbortController();
    const sending = failure(send({}, aborter.signal));
    await expect.poll(() => taken.length).toBe(1);
    aborter.abort();
    expect((await sending).isFinal).toBe(false);
  });

  it('wants a key on P-256', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    });
    const options = { subject: 'mailto:a@b.c', hosts: ['a'] };
    expect(() => openWebPush({ ...options, key: other.toString() })).toThrow('P-256');
    expect(() => openWebPush({ ...options, key: 'no key' })).toThrow();
  });
});
