/** Reload of a server that runs: settings, certificates, a password of a service account, and files that are wrong. */
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { runServer } from '@watchword/cli';
import { clientCertificate } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webServiceCommand } from './options.ts';

const base = 'dc=example,dc=org';
const ports = { clock: systemClock, random: systemRandom };

let folder: string;
let file: string;
let end: () => Promise<void>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-reload-'));
  file = join(folder, 'watchword.yaml');
});
afterEach(async () => {
  await end();
  await rm(folder, { recursive: true });
});

/** Writes the configuration: the necessary lines, and these. @param ws settings of the listener */
const write = (lines: string, ws = 'port: 0'): Promise<void> =>
  writeFile(
    file,
    `data: data
directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
super_admins: ["uid=admin,${base}"]
ws: {${ws}}
${lines}`,
    { mode: 0o600 },
  );

/** Runs a server on the file. @returns its address, its log, and a function that reloads it */
async function start() {
  let stop = () => {};
  const asked = new Promise<string>((resolve) => {
    stop = () => resolve('SIGTERM');
  });
  const log: string[] = [];
  // The program hands over its reload after it has printed its address.
  let handOver: (task: () => Promise<void>) => void = () => undefined;
  const handed = new Promise<() => Promise<void>>((resolve) => {
    handOver = resolve;
  });
  let code: Promise<number> = Promise.resolve(0);
  const url = await new Promise<string>((resolve) => {
    code = runServer(webServiceCommand, {
      arguments: ['--config', file],
      environment: {},
      print: (line) => resolve(/https:\S+/.exec(line)?.[0] ?? ''),
      printError: () => undefined,
      logTo: { write: (line) => log.push(line) },
      asked,
      onHangUp: handOver,
    });
  });
  end = async () => {
    stop();
    expect(await code).toBe(0);
  };
  return { url, log, reload: await handed, last: () => log.at(-1) ?? '' };
}

function statusOf(url: string, options: RequestOptions = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = { agent: false, rejectUnauthorized: false, ...options } as const;
    request(`${url}otp/json/otpStatus/`, asked, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

async function certificateOf(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

describe('reload', () => {
  it('serves changed settings from the next request on, also on an open connection', async () => {
    await write('');
    const { url, reload, last } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await statusOf(url, { agent })).toBe(200);
    await write('websrvs: {otp: {require: api_key}}');
    await reload();
    expect(last()).toMatch(/INFO +configuration reloaded program=watchword-ws changed=\["websrvs.otp"\]/);
    expect(await statusOf(url, { agent })).toBe(401);
    agent.destroy();
  });

  it('demands a client certificate of new connections, and stops to', async () => {
    await write('');
    const { url, reload } = await start();
    const callers = await createAuthority({ commonName: 'Callers', days: 1 }, ports);
    await writeFile(join(folder, 'callers.pem'), callers.certificate);
    await write('websrvs: {otp: {require: certificate}}', 'port: 0, client_ca: callers.pem');
    const { certificate: cert, key } = clientCertificate(callers);
    await reload();
    expect([await statusOf(url), await statusOf(url, { cert, key })]).toEqual([401, 200]);
    await write('');
    await reload();
    expect(await statusOf(url)).toBe(200);
  });

  it('trusts a certificate no longer when its authority was replaced, also on an open connection', async () => {
    const [before, after] = await Promise.all(
      ['Before', 'After'].map((commonName) => createAuthority({ commonName, days: 1 }, ports)),
    );
    if (!before || !after) throw new Error('there are two');
    await write('websrvs: {otp: {require: certificate}}', 'port: 0, client_ca: callers.pem');
    await writeFile(join(folder, 'callers.pem'), before.certificate);
    const { url, reload } = await start();
    const { certificate: cert, key } = clientCertificate(before);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, cert, key });
    expect(await statusOf(url, { agent })).toBe(200);
    await writeFile(join(folder, 'callers.pem'), after.certificate);
    await reload();
    expect(await statusOf(url, { agent })).toBe(401);
    agent.destroy();
  });

  it('keeps what needs a restart, names it, and takes the rest', async () => {
    await write('');
    const { url, reload, log } = await start();
    await write('event_log_days: 3\nwebsrvs: {otp: {enabled: false}}', 'port: 1');
    await reload();
    expect(log.slice(-2)).toEqual([
      expect.stringContaining('changed=["websrvs.otp"]'),
      expect.stringMatching(/need a restart; .*: event_log_days, ws\.port program/),
    ]);
    expect(await statusOf(url)).toBe(404);
  });

  it.each([
    ['a file that is no YAML', 'websrvs: {', /was not reloaded.*line/],
    ['an unknown setting', 'websrv: {}', /was not reloaded.*websrv/],
    [
      'a file that is not there',
      'mail: {type: smtp, host: localhost, from: a@example.org, ca: gone.pem}',
      /was not reloaded.*gone\.pem/,
    ],
    [
      'a role with an unknown method',
      'roles: {desk: {users: ["uid=a,dc=example,dc=org"], methods: [Get_Nothing]}}',
      /was not reloaded/,
    ],
  ])('changes nothing for %s, and says why', async (_, lines, why) => {
    await write('');
    const { url, reload, last } = await start();
    await write(`websrvs: {otp: {require: api_key}}\n${lines}`);
    await reload();
    expect(last()).toMatch(why);
    expect(last()).not.toMatch(/\bat .*\.ts/);
    expect(await statusOf(url)).toBe(200);
    await write('websrvs: {otp: {require: api_key}}');
    await reload();
    expect(await statusOf(url)).toBe(401);
  });

  it('lets no request fail in a hundred changes', async () => {
    await write('');
    const { url, reload } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    let isOver = false;
    const answered = { right: 0, other: 0 };
    const ask = async () => {
      while (!isOver) {
        const status = await statusOf(url, { agent });
        answered[status === 200 ? 'right' : 'other'] += 1;
      }
    };
    const asking = Promise.all(Array.from({ length: 8 }, ask));
    for (let change = 1; change <= 100; change += 1) {
      await write(`websrvs: {otp: {default_domain: Default}}\nclients: {"vpn${change}": {}}`);
      await reload();
    }
    isOver = true;
    await asking;
    agent.destroy();
    expect(answered.other).toBe(0);
    expect(answered.right).toBeGreaterThan(100);
  });
});

describe('certificates', () => {
  const pairOf = async () => {
    const authority = await createAuthority({ commonName: 'Site', days: 1 }, ports);
    return issueServerCertificate(
      authority,
      { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 },
      ports,
    );
  };

  /** Puts a pair in the place of the one before, as an ACME client does. */
  async function put({ certificate, key }: { readonly certificate: string; readonly key: string }) {
    for (const [name, text] of Object.entries({ 'tls.pem': certificate, 'tls.key': key })) {
      await writeFile(join(folder, `${name}.new`), text, { mode: 0o600 });
      await rename(join(folder, `${name}.new`), join(folder, name));
    }
  }

  it('serves them when their files are replaced, without a signal', async () => {
    await put(await pairOf());
    await write('', 'port: 0, certificate: tls.pem, key: tls.key');
    const { url, log } = await start();
    expect(log.join('')).toMatch(/WARN +the certificate of ws ends at .*: renew its files/);
    const before = await certificateOf(url);
    await put(await pairOf());
    await expect.poll(() => certificateOf(url), { timeout: 60_000, interval: 500 }).not.toBe(before);
    expect(log.at(-1)).toContain('certificates renewed');
  });

  it('keeps those before while a key does not belong to its certificate', async () => {
    const first = await pairOf();
    await put(first);
    await write('', 'port: 0, certificate: tls.pem, key: tls.key');
    const { url, reload, last } = await start();
    const before = await certificateOf(url);
    const second = await pairOf();
    await put({ ...first, key: second.key });
    await reload();
    expect(last()).toContain(
      'was not reloaded, and the one before stays in force: The private key does not belong',
    );
    expect(await certificateOf(url)).toBe(before);
    await put(second);
    await reload();
    expect(await certificateOf(url)).not.toBe(before);
  });
});
