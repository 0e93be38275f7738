/**
 * Where the processor time of a call goes: the Manager runs under V8's sampling profiler, is loaded with single
 * calls, and its samples are counted by function and by the file that the function stands in.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSlapd } from './bed.mjs';
import { closedLoop } from './closed-loop.mjs';
import { openManagerClient } from './manager-client.mjs';
import { startManager } from './manager-process.mjs';
import { operations } from './operations.mjs';
import { connections } from './plan.mjs';
import { table } from './table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const users = 1_000;
const shown = 40;

/** @returns text: for each operation the files and the functions that take most of its time */
export async function profileManager({ plan, progress }) {
  const slapd = await startSlapd({ users });
  try {
    const texts = [];
    for (const operation of operations) {
      progress(`profiling ${operation.method}`);
      texts.push(await profileOperation(operation, slapd, plan));
    }
    return texts.join('\n');
  } finally {
    await slapd.stop();
  }
}

async function profileOperation(operation, slapd, plan) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-profile-'));
  try {
    const { calls, milliseconds } = await loadUnderProfiler(operation, { slapd, folder, plan });
    const [name] = await readdir(folder);
    const times = selfTimes(JSON.parse(await readFile(join(folder, name), 'utf8')));
    const title = `${operation.method}: ${calls} calls in ${Math.round(milliseconds)} ms, start included`;
    return `${title}\n${shareTable(times, 'file', calls)}\n${shareTable(times, 'function', calls)}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function loadUnderProfiler(operation, { slapd, folder, plan }) {
  const manager = await startManager(slapd, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  const options = (client) => ({ users, client, reads: 1 });
  const opening = Array.from({ length: connections }, (_, client) =>
    openManagerClient(manager, operation, options(client)),
  );
  const clients = await Promise.all(opening);
  const load = await closedLoop(clients, plan.slice * 10);
  await Promise.all(clients.map((client) => client.close()));
  await manager.stop();
  return load;
}

/** Microseconds that each function was on top of the stack, without idle time: a list of {function, file, time}. */
function selfTimes({ nodes, samples, timeDeltas }) {
  const times = new Map(nodes.map((node) => [node.id, 0]));
  for (const [at, id] of samples.entries()) times.set(id, times.get(id) + timeDeltas[at]);
  return nodes
    .filter(({ callFrame }) => callFrame.functionName !== '(idle)')
    .map(({ id, callFrame }) => {
      const place = placeOf(callFrame);
      return {
        file: place.file,
        function: `${callFrame.functionName || '(anonymous)'} ${place.file}${place.line}`,
        time: times.get(id),
      };
    });
}

const sourceMaps = new Map();

/** The source file of a call frame; of a package its name, of Node the module. */
function placeOf({ url, lineNumber, columnNumber }) {
  if (!url.startsWith('file:')) return { file: url === '' ? '(native)' : url, line: '' };
  const path = fileURLToPath(url);
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (dependency !== undefined) return { file: dependency, line: `:${lineNumber + 1}` };
  const { originalSource, originalLine } = sourceMapOf(path)?.findEntry(lineNumber, columnNumber) ?? {};
  if (originalSource === undefined) return { file: relative(root, path), line: `:${lineNumber + 1}` };
  const file = originalSource.replace(/^(?:\.\.\/)+/, '');
  return { file, line: `:${originalLine + 1}` };
}

function sourceMapOf(path) {
  if (!sourceMaps.has(path)) {
    const map = `${path}.map`;
    sourceMaps.set(path, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined);
  }
  return sourceMaps.get(path);
}

function shareTable(times, key, calls) {
  const sums = new Map();
  for (const { time, [key]: name } of times) sums.set(name, (sums.get(name) ?? 0) + time);
  const all = [...sums.values()].reduce((sum, time) => sum + time, 0);
  const columns = {
    [key]: ([name]) => name,
    'µs a call': ([, time]) => (time / calls).toFixed(1),
    '%': ([, time]) => ((100 * time) / all).toFixed(1),
  };
  return table(columns, [...sums].sort(([, a], [, b]) => b - a).slice(0, shown));
}
