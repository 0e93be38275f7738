/**
 * Both servers as they are shipped, under mixed traffic: what they keep in memory does not grow with the operations. By day a few
 * thousand show that the traffic is what it says; the long lane looks at 60,000, or at as many as WATCHWORD_SOAK says.
 */
import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rounds } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Memory } from './inspected.ts';
import { kindsOf } from './kinds.ts';
import { type Servers, startServers } from './servers.ts';
import { slopeOf } from './slope.ts';
import { Traffic } from './traffic.ts';
import { Web } from './web.ts';

const operations = Number(process.env.WATCHWORD_SOAK ?? rounds(2000, 60_000));
/** Folder of heap snapshots and figures. */
const folder = process.env.WATCHWORD_SOAK_FOLDER;
const root = new URL('../../', import.meta.url);
const looks = 30;
const names = ['ws', 'manager'] as const;

interface Look extends Record<(typeof names)[number], Memory> {
  readonly operations: number;
}

let servers: Servers;
let web: Web;
let traffic: Traffic;
const seen: Look[] = [];

beforeAll(async () => {
  await build();
  servers = await startServers();
  web = new Web(servers.ca);
  traffic = new Traffic(kindsOf(servers, web));
  for (let at = 1; at <= looks; at += 1) {
    await traffic.run(Math.round((operations * at) / looks));
    const [ws, manager] = await Promise.all(names.map((name) => servers[name].memory()));
    if (!ws || !manager) throw new Error('a server is gone');
    seen.push({ operations: traffic.done, ws, manager });
    await keep(at);
  }
}, 14_400_000);
afterAll(async () => {
  web.close();
  await servers.stop();
});

async function build(): Promise<void> {
  const ensured = "import('./scripts/workspace.mjs').then(({ ensureBuilt }) => ensureBuilt())";
  await promisify(execFile)(process.execPath, ['-e', ensured], { cwd: fileURLToPath(root) });
}

/** Writes figures, and a snapshot after each third. */
async function keep(at: number): Promise<void> {
  if (folder === undefined) return;
  const { operations, ws, manager } = seen.at(-1) ?? {};
  const line = JSON.stringify({ seconds: performance.now() / 1000, operations, ws, manager });
  appendFileSync(join(folder, 'figures.jsonl'), `${line}\n`);
  if (!process.env.WATCHWORD_SOAK_SNAPSHOTS || (at * 3) % looks !== 0) return;
  for (const name of names) await servers[name].snapshot(join(folder, `${name}-${operations}.heapsnapshot`));
}

it('answers each operation as it should', () => {
  expect(traffic.faults).toEqual([]);
  expect(Math.min(...Object.values(traffic.counts))).toBeGreaterThan(0);
});

/** Bytes an operation, over the last third. */
const growth = (name: (typeof names)[number], of: keyof Memory): number =>
  slopeOf(seen.slice(-looks / 3).map((look) => [look.operations, look[name][of]]));

// Fewer are lost in what the runtime itself needs.
if (operations >= 60_000)
  it.each(names)('holds less than 250 bytes more with each operation: %s', (name) => {
    expect(growth(name, 'heap')).toBeLessThan(250);
  });

// The C library keeps and returns memory by megabytes.
if (operations >= 300_000)
  it.each(names)('has less than 1 kB more of the system with each operation: %s', (name) => {
    expect(growth(name, 'anonymous')).toBeLessThan(1000);
  });
