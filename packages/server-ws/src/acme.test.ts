/** Certificates from an ACME server, Debian's Pebble: both challenges, faults, renewal and restart. */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type PeerCertificate } from 'node:tls';
import { runServer } from '@watchword/cli';
import { freePorts, issueCertificate, type Pebble, startPebble } from '@watchword/core/testing/bed';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webServiceCommand } from './options.ts';

const base = 'dc=example,dc=org';
const domain = 'login.example.org';

let pebble: Pebble;
let httpPort: number;
let tlsPort: number;
let otherPort: number;
beforeAll(async () => {
  [httpPort, tlsPort, otherPort] = (await freePorts(3)) as [number, number, number];
  pebble = await startPebble({ httpPort, tlsPort });
});
afterAll(() => pebble.stop());

let folder: string;
let end: () => Promise<void>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-acme-'));
  end = async () => undefined;
});
afterEach(async () => {
  await end();
  await rm(folder, { recursive: true });
});

const httpChallenge = () => ({ challenge: 'http-01', http_host: '127.0.0.1', http_port: httpPort });

/** Runs a server. @param acme settings other than the usual ones */
async function start(acme: object, port = tlsPort) {
  const settings = {
    data: 'data',
    directory: { type: 'embedded', base },
    domains: { Default: { base } },
    super_admins: [`uid=admin,${base}`],
    ws: { port },
    acme: { directory: pebble.directory, ca: pebble.ca, domains: [domain], ...acme },
  };
  const file = join(folder, `watchword-${port}.yaml`);
  await writeFile(file, JSON.stringify(settings), { mode: 0o600 });
  let stop = () => {};
  const asked = new Promise<string>((resolve) => {
    stop = () => resolve('SIGTERM');
  });
  const log: string[] = [];
  let code: Promise<number> = Promise.resolve(0);
  const url = await new Promise<string>((resolve) => {
    code = runServer(webServiceCommand, {
      arguments: ['--config', file],
      environment: {},
      print: (line) => resolve(/https:\S+/.exec(line)?.[0] ?? ''),
      printError: (line) => resolve(line),
      logTo: { write: (line) => log.push(line) },
      asked,
    });
  });
  end = async () => {
    stop();
    expect(await code).toBe(0);
    end = async () => undefined;
  };
  return { url, log };
}

/** Returns what `--check` prints of the configuration of the last start. */
async function checked(): Promise<string> {
  const printed: string[] = [];
  await runServer(webServiceCommand, {
    arguments: ['--config', join(folder, `watchword-${tlsPort}.yaml`), '--check'],
    environment: {},
    print: (line) => printed.push(line),
    printError: (line) => printed.push(line),
    logTo: { write: () => undefined },
    asked: Promise.resolve(''),
  });
  return printed.join('\n');
}

async function peer(protocols: string[] = [], port = tlsPort): Promise<PeerCertificate> {
  const options = { servername: domain, ALPNProtocols: protocols, rejectUnauthorized: false };
  const socket = connect({ host: '127.0.0.1', port, ...options });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerCertificate();
  socket.destroy();
  return certificate;
}

/** Waits until the log has a line, and returns it. */
async function logged(log: readonly string[], pattern: RegExp): Promise<string> {
  for (let round = 0; round < 600; round += 1) {
    const line = log.find((one) => pattern.test(one));
    if (line !== undefined) return line;
    await sleep(100);
  }
  throw new Error(`the log has no ${pattern}:\n${log.join('\n')}`);
}

const issued = /certificate issued by the ACME server/;
const notIssued = /the ACME server has issued no certificate/;

describe('certificates of an ACME server', () => {
  it.each([
    ['http-01', httpChallenge],
    ['tls-alpn-01', () => ({ challenge: 'tls-alpn-01' })],
  ])('are issued after %s, and served without a restart', async (_name, challenge) => {
    const { log } = await start(challenge());
    await logged(log, issued);
    const { issuer, subjectaltname } = await peer();
    expect(issuer.CN).toMatch(/Pebble/);
    expect(subjectaltname).toBe(`DNS:${domain}`);
    const files = (await readdir(join(folder, 'data'))).filter((name) => name.startsWith('acme-'));
    expect(files.sort()).toEqual(['acme-account.pem', 'acme-key.pem']);
    for (const name of files) expect((await stat(join(folder, 'data', name))).mode & 0o777).toBe(0o600);
  });

  it('serves the same certificate after a restart, without another order', async () => {
    const first = await start(httpChallenge());
    await logged(first.log, issued);
    const { serialNumber } = await peer();
    const before = pebble.issued;
    await end();
    expect(await checked()).toMatch(/^the certificate of acme is good until 20/m);
    const { log } = await start(httpChallenge());
    expect((await peer()).serialNumber).toBe(serialNumber);
    expect([pebble.issued, log.filter((line) => issued.test(line))]).toEqual([before, []]);
  });

  it('orders once for two servers on one data folder, which both serve it', async () => {
    const before = pebble.issued;
    const one = await start(httpChallenge());
    const endOne = end;
    const other = await start(httpChallenge(), otherPort);
    const endOther = end;
    end = async () => {
      await endOne();
      await endOther();
    };
    await Promise.race([one, other].map(({ log }) => logged(log, issued)));
    const { serialNumber } = await peer();
    const begun = Date.now();
    while ((await peer([], otherPort)).serialNumber !== serialNumber && Date.now() - begun < 30_000)
      await sleep(200);
    expect((await peer([], otherPort)).serialNumber).toBe(serialNumber);
    expect(pebble.issued).toBe(before + 1);
  });

  it('goes on with its own certificate when the answer does not arrive, and logs reason and cure', async () => {
    const [elsewhere] = (await freePorts(1)) as [number];
    const { log } = await start({ ...httpChallenge(), http_port: elsewhere });
    const line = await logged(log, notIssued);
    expect(line).toMatch(/does not accept the answer for login\.example\.org/);
    expect(line).toContain(`let port 80 of each domain reach port ${elsewhere} of this machine`);
    expect(line).toMatch(/Next try at 20/);
    expect((await peer()).issuer.CN).not.toMatch(/Pebble/);
  });

  it('names the port of challenges when another program has it', async () => {
    const busy = createServer().listen(httpPort, '127.0.0.1');
    await once(busy, 'listening');
    const { log } = await start(httpChallenge());
    expect(await logged(log, notIssued)).toMatch(/Port \d+ on 127\.0\.0\.1 is taken; .*acme\.http_port/);
    busy.close();
  });

  it('refuses an ACME server of an authority that it does not know', async () => {
    const { log } = await start({ ...httpChallenge(), ca: undefined });
    expect(await logged(log, notIssued)).toContain('name the authority of the ACME server in acme.ca');
  });

  it('has no handshake for challenges that are not pending, and serves nothing in one', async () => {
    await start({ challenge: 'tls-alpn-01', directory: 'https://127.0.0.1:9/dir' });
    await expect(peer(['acme-tls/1'])).rejects.toThrow(/alert/i);
    expect((await peer(['http/1.1'])).subject).toBeDefined();
  });

  it('ends an order that is under way when the server stops', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { log } = await start({ ...httpChallenge(), directory: `https://127.0.0.1:${port}/dir` });
    await once(silent, 'connection');
    const begun = Date.now();
    await end();
    expect(Date.now() - begun).toBeLessThan(20_000);
    expect(log.filter((line) => notIssued.test(line))).toEqual([]);
    silent.close();
  });

  it('takes no address without TLS from a directory', async () => {
    const { caFile, certFile, keyFile } = await issueCertificate(folder);
    const [cert, key] = [await readFile(certFile), await readFile(keyFile)];
    let asked = 0;
    const plain = createPlainServer((_, response) => {
      asked += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const at = (server: { address(): unknown }) => Object(server.address()).port as number;
    const names = ['newNonce', 'newAccount', 'newOrder'];
    const addresses = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${at(plain)}/`]));
    const hostile = createTlsServer({ cert, key }, (_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(addresses));
    }).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    const directory = `https://localhost:${at(hostile)}/dir`;
    const { log } = await start({ ...httpChallenge(), directory, ca: caFile });
    expect(await logged(log, notIssued)).toContain('it names an address without TLS');
    expect(asked).toBe(0);
    await Promise.all([plain, hostile].map((server) => server.close()));
  });
});

describe('an ACME server with short lifetimes that demands an account', () => {
  const key = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
  let usual: Pebble;
  beforeAll(async () => {
    usual = pebble;
    pebble = await startPebble({ httpPort, tlsPort, accounts: { 'key-1': key }, lifetime: 15 });
  });
  afterAll(async () => {
    await pebble.stop();
    pebble = usual;
  });

  it('renews when a third of the lifetime is left', async () => {
    const { log } = await start({ ...httpChallenge(), eab: { key_id: 'key-1', key } });
    await logged(log, issued);

    const [{ serialNumber }, begun] = [await peer(), Date.now()];
    while ((await peer()).serialNumber === serialNumber && Date.now() - begun < 60_000) await sleep(500);

    const certificate = await peer();
    expect(certificate.issuer.CN).toMatch(/Pebble/);
    expect(certificate.serialNumber).not.toBe(serialNumber);
    expect(Date.now() - begun).toBeGreaterThan(5000);
  }, 90_000);

  it('says that an account is missing', async () => {
    const { log } = await start(httpChallenge());
    expect(await logged(log, notIssued)).toContain('correct acme.eab');
  });
});
