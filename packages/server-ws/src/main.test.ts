/** The web-services server as a program: a service that demands who calls, by TLS client certificate or API key. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runServer } from '@watchword/cli';
import { clientCertificate } from '@watchword/core/testing/bed';
import { ensureAuthority } from '@watchword/engines/installation';
import { readKeyRing, systemClock, systemRandom } from '@watchword/node';
import { createAuthority } from '@watchword/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webServiceCommand } from './options.ts';

const base = 'dc=example,dc=org';
const secret = '0123456789abcdef0123456789abcdef01234567';

interface Pair {
  readonly certificate: string;
  readonly key: string;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-ws-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a server in a data folder of its own, with these lines in its configuration besides the necessary ones. */
async function start(name: string, lines: string) {
  const file = join(folder, `${name}.yaml`);
  const text = `data: ${name}
directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
super_admins: ["uid=admin,${base}"]
log: {level: error}
${lines}`;
  await writeFile(file, text, { mode: 0o600 });
  let stop = () => {};
  const asked = new Promise<string>((resolve) => {
    stop = () => resolve('SIGTERM');
  });
  const errors: string[] = [];
  let code: Promise<number> = Promise.resolve(0);
  const url = await new Promise<string>((resolve) => {
    code = runServer(webServiceCommand, {
      arguments: ['--config', file],
      environment: { WATCHWORD_WS__PORT: '0' },
      print: (line) => resolve(/https:\S+/.exec(line)?.[0] ?? ''),
      printError: (line) => errors.push(line),
      logTo: { write: () => true },
      asked,
    });
  });
  const data = join(folder, name);
  const authority = () =>
    ensureAuthority({
      config: { data, ca: { key_type: 'P-256' } },
      keys: readKeyRing(join(data, 'keys')),
    });
  const end = async () => {
    stop();
    // Its folder is new: the operator has to know what is missing.
    expect([await code, errors]).toEqual([0, [expect.stringContaining('make one: watchword-manager init')]]);
  };
  return { url, authority, end, ca: await readFile(join(data, 'ca.pem'), 'utf8') };
}

function statusOf(
  url: string,
  options: { ca: string; cert?: string; key?: string; headers?: Record<string, string> },
) {
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${url}otp/json/otpStatus/`, { ...options, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

const shown = ({ certificate, key }: Pair) => ({ cert: certificate, key });

describe('a service that demands a certificate', () => {
  it('takes none that its authority did not sign for a system, but an API key', async () => {
    const sha256 = createHash('sha256').update(secret).digest('hex');
    const { url, authority, end, ca } = await start(
      'own',
      `websrvs: {otp: {require: either}}\napi_keys: {"1": {sha256: "${sha256}"}}`,
    );
    const notOnRecord = clientCertificate(await authority());
    const ports = { clock: systemClock, random: systemRandom };
    const bad = clientCertificate(await createAuthority({ commonName: 'Somebody', days: 1 }, ports));
    expect(await statusOf(url, { ca, ...shown(notOnRecord) })).toBe(401);
    expect(await statusOf(url, { ca, headers: { 'x-api-key': `1_${secret}` } })).toBe(200);
    expect(await statusOf(url, { ca })).toBe(401);
    expect(await statusOf(url, { ca, ...shown(bad) })).toBe(401);
    await end();
  });

  it('takes one of the authority that the operator names, and no other', async () => {
    const ports = { clock: systemClock, random: systemRandom };
    const portals = await createAuthority({ commonName: 'Portals', days: 1 }, ports);
    await writeFile(join(folder, 'portals.pem'), portals.certificate);
    const { url, authority, end, ca } = await start(
      'named',
      'ws: {client_ca: portals.pem}\nwebsrvs: {otp: {require: certificate}}',
    );
    const own = clientCertificate(await authority());
    expect(await statusOf(url, { ca, ...shown(clientCertificate(portals)) })).toBe(200);
    expect(await statusOf(url, { ca, ...shown(own) })).toBe(401);
    await end();
  });
});
