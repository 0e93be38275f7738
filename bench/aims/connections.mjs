/**
 * New TLS connections that come at once, from a process of their own, at the least of requests and at logins of names that nobody has:
 * what each costs the server and the client, by the key of the server.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processorTime } from '../processor-time.mjs';
import { startServer } from '../server-process.mjs';
import { median } from '../side-by-side.mjs';

const program = fileURLToPath(new URL('../../packages/server-ws/dist/main.js', import.meta.url));
const client = fileURLToPath(new URL('connections-client.mjs', import.meta.url));
const base = 'dc=example,dc=org';
const atOnce = 500;

const keys = {
  'P-256, as init makes it': undefined,
  'RSA 2048': ['rsa:2048'],
  'RSA 4096': ['rsa:4096'],
};
/** What each connection asks for, and whether it takes up the session of one before. */
const kinds = {
  'the handshake alone': { ask: 'nothing' },
  'GET /healthz, a session taken up': { ask: 'health', resumes: true },
  'GET /healthz': { ask: 'health' },
  'a login, embedded directory': { ask: 'login' },
};

export async function measureConnections({ plan, progress }) {
  const measured = [];
  for (const [key, made] of Object.entries(keys)) {
    const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
    const server = await startServer(program, { configuration: configurationOf(folder, made), folder });
    try {
      const caFile = join(folder, made ? 'own.pem' : 'ca.pem');
      for (const [kind, how] of Object.entries(kinds)) {
        if (made && kind !== 'the handshake alone') continue;
        progress(`connections: ${key}, ${kind}`);
        measured.push(await measure(server, { row: `${kind}, ${key}`, caFile, how, rounds: plan.rounds }));
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  }
  return measured;
}

function configurationOf(folder, made) {
  const own = { key: join(folder, 'own-key.pem'), certificate: join(folder, 'own.pem') };
  if (made) {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
    const files = ['-keyout', own.key, '-out', own.certificate];
    execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', ...made, ...subject, ...files], {
      stdio: 'ignore',
    });
  }
  return {
    domains: { Default: { base } },
    super_admins: [`uid=admin,${base}`],
    ...{ directory: { type: 'embedded', base }, data: folder, trusted_callers: ['127.0.0.1'] },
    limits: { login_failure_delay_ms: 0 },
    ws: { port: 0, ...(made && own) },
    log: { level: 'error' },
  };
}

async function measure({ port, pid }, { row, caFile, how, rounds }) {
  const ca = await readFile(caFile, 'utf8');
  const child = spawn(process.execPath, [client], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const tell = (what) => {
    child.send(what);
    return once(child, 'message').then(([answer]) => answer);
  };
  const turns = [];
  for (let round = 0; round <= rounds; round += 1) {
    const before = [processorTime(pid), processorTime(child.pid)];
    const { milliseconds, busy, reused, lost } = await tell({ port, ca, atOnce, ...how });
    const [ofServer, ofClient] = [processorTime(pid) - before[0], processorTime(child.pid) - before[1]];
    turns.push({ milliseconds, server: ofServer / atOnce, client: ofClient / atOnce, busy, reused, lost });
  }
  child.disconnect();
  const of = (name) => median(turns.slice(1).map((turn) => turn[name]));
  const all = turns.slice(1).map(({ milliseconds }) => milliseconds);
  return {
    ...{ row, aim: '', milliseconds: of('milliseconds'), ratios: [Math.min(...all), Math.max(...all)] },
    processor: { server: of('server'), client: of('client') },
    ...{ busy: of('busy'), reused: of('reused'), lost: of('lost') },
  };
}
