/** Certificates from an ACME server, Debian's Pebble: both challenges, faults, renewal and restart. */
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type PeerCertificate } from 'node:tls';
import { runServer } from '@watchword/cli';
import { freePorts, type Pebble, startPebble } from '@watchword/core/testing/bed';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webServiceCommand } from './options.ts';

const base = 'dc=example,dc=org';
const domain = 'login.example.org';

let pebble: Pebble;
let httpPort: number;
let tlsPort: number;
beforeAll(async () => {
  [httpPort, tlsPort] = (await freePorts(2)) as [number, number];
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
async function start(acme: object) {
  const settings = {
    data: 'data',
    directory: { type: 'embedded', base },
    domains: { Default: { base } },
    super_admins: [`uid=admin,${base}`],
    ws: { port: tlsPort },
    acme: { directory: pebble.directory, ca: pebble.ca, domains: [domain], ...acme },
  };
  const file = join(folder, 'watchword.yaml');
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

async function peer(protocols: string[] = []): Promise<PeerCertificate> {
  const options = { servername: domain, ALPNProtocols: protocols, rejectUnauthorized: false };
  const socket = connect({ host: '127.0.0.1', port: tlsPort, ...options });
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
});
